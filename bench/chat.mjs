/** What people in a chat wait for, on a platform of its own on this machine. */
import { bundleAndRun } from "./bundle.mjs";
import { percentile } from "./measure.mjs";

const SDK = { slack: "Bolt", discord: "discord.js" };

export const chat = (figure) => async () => {
  const { acknowledged, near, far } = await bundleAndRun("chat-inside.mjs", [figure]);
  const p50 = percentile(acknowledged, 50).toFixed(1);
  const followUp = (where, { a, b, ratio }) => ({
    figure,
    what: `click to follow-up, against a bare ${SDK[figure]} app, ${where}`,
    value: ratio,
    limit: 1.2,
    unit: "×",
    detail: `${SDK[figure]} ${a.toFixed(1)} ms, askgate ${b.toFixed(1)} ms`,
  });
  return [
    {
      figure,
      what: "20 clicks a second, p99 to acknowledgement, 1000 sessions",
      value: percentile(acknowledged, 99),
      limit: 100,
      unit: "ms",
      detail: `p50 ${p50} ms, ${acknowledged.length} clicks`,
    },
    followUp("25 ms away", far),
    followUp("no network", near),
  ];
};
