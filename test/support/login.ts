/** The login clarity, small: a root decision, a follow-up with own words, another root. */
export const LOGIN = {
  title: "Login PRD",
  context: "Email-first.",
  decisions: [
    {
      id: "auth",
      question: "Which auth methods?",
      recommendation_reason: "Spec says low friction.",
      options: [
        { id: "magic", label: "Magic link only", recommended: true, reason: "Lowest friction." },
        { id: "password", label: "Password + magic link", recommended: false },
      ],
    },
    {
      id: "policy",
      question: "Password policy?",
      recommendation_reason: "Most people cope.",
      allow_custom: true,
      options: [
        { id: "lenient", label: "Lenient", recommended: true },
        { id: "strict", label: "Strict", recommended: false },
      ],
      show_if: { decision: "auth", in: ["password"] },
    },
    {
      id: "session",
      question: "Session length?",
      recommendation_reason: "Usual in the field.",
      allow_custom: true,
      options: [
        { id: "day", label: "One day", recommended: true },
        { id: "month", label: "One month", recommended: false },
      ],
    },
  ],
};

export const PLAN = {
  title: "Login flow",
  plan: "# Login\n\nWe send a link.\n\n## Risks\n\n- spam\n- replay\n\nDone.",
};
