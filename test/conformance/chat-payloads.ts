/** Payloads that several cases use. */

/** Three root decisions on one card. */
export const THREE = {
  title: "Cache",
  context: "The list is slow.",
  decisions: [
    { id: "store", question: "Where to cache?", options: ["Redis", "Memory"] },
    { id: "ttl", question: "For how long?", options: ["Hour", "Day"] },
    { id: "region", question: "In which region?", options: ["EU", "US"] },
  ].map(({ options, ...decision }) => ({
    ...decision,
    recommendation_reason: "It is what we have.",
    options: options.map((label, at) => ({ id: label.toLowerCase(), label, recommended: at === 0 })),
  })),
};
