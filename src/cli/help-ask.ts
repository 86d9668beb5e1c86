/** The words of `--help` for questions, permissions and messages. */

export const ASK = `
Ask one concrete thing, with options where you can: they become buttons. The words may also come from standard input
(\`-\`, or nothing on the command line), and so may the whole question as JSON (\`askgate schema ask\`).

Examples:
  $ askgate ask "Which port should the preview use?"
  $ askgate ask "Web UI or terminal?" --option "Web UI" --option Terminal
  $ askgate ask "Drop the old table?" --option Yes --option No --no-own-words --detail - < plan.md
  $ askgate ask "Anything else before I start?" --asks 3 --timeout 10m

Where a program acts on the answer, give each option an id: it comes back as "optionId", whatever the label says.
  $ askgate ask "The goal cannot be reached: no network here. What now?" \\
      --option "Accept it as it is" --option-id accept \\
      --option "Change the goal"    --option-id change \\
      --option "You misjudged"      --option-id go-on

  { "mode": "ask", "status": "submitted", "answer": "Change the goal", "option": 2, "optionId": "change", "by": "Ana" }

Own words have "option": null. Every result has "remaining" (questions left by --asks; -1: no quota) and, without an
answer, "advice": go on by your own judgement, write the assumption down, do not ask again. Nobody answered in time:
exit 4, and a later answer comes with the session's next command or \`askgate inbox\`. Skipped or cancelled: 3. No
questions left: 6. --timeout 0 posts nothing.

Questions and answers are recorded in .askgate/qa.md (--log, --no-log): for people, never for a prompt.`;

export const PERMISSION = `
People see the command and allow it once, deny it, or deny it with words. The deadline denies.

Examples:
  $ askgate permission "Migrate the production database" --command "npm run migrate" && npm run migrate
  $ askgate permission "Delete the old branches" --command - --detail "All merged in May." < cleanup.sh

Allowed: exit 0, "decision": "allow". Denied: exit 3, with "reason" where somebody gave one. Nobody answered: exit 4.`;

export const INBOX = `
People may write in the thread at any time; nothing interrupts you. Look after each stage of your work. Each message
comes once, in order, with who, when and files. It is also saved in .askgate/amendments.md, beside the brief: "saved"
says whether it is. Answers that came after you went on stand under "late".

Examples:
  $ askgate inbox
  $ askgate inbox --peek                                only look: the messages come again

  { "session": "s_4k2m9x", "messages": [ { "id": "m1", "text": "also rate-limit /auth", "by": "Ana", "byId": "…",
    "where": "slack", "at": "2026-12-01T10:00:00Z" } ], "late": [],
    "amendments": { "saved": true, "file": ".askgate/amendments.md" } }`;

export const SAY = `
A note for whoever reads the thread; nobody has to answer. Ask with \`askgate ask\` instead.

Examples:
  $ askgate say "The tests pass; next the docs."
  $ git log --oneline -5 | askgate say`;
