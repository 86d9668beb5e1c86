/** What people in Slack wait for, on a Slack of its own on this machine. */
import { bundleAndRun } from "./bundle.mjs";
import { percentile } from "./measure.mjs";

export async function slack() {
  const { acknowledged, near, far } = await bundleAndRun("slack-inside.mjs");
  const p50 = percentile(acknowledged, 50).toFixed(1);
  const followUp = (where, { a, b, ratio }) => ({
    figure: "slack",
    what: `click to follow-up, against a bare Bolt app, ${where}`,
    value: ratio,
    limit: 1.2,
    unit: "×",
    detail: `Bolt ${a.toFixed(1)} ms, askgate ${b.toFixed(1)} ms`,
  });
  return [
    {
      figure: "slack",
      what: "20 clicks a second, p99 to acknowledgement, 1000 sessions",
      value: percentile(acknowledged, 99),
      limit: 100,
      unit: "ms",
      detail: `p50 ${p50} ms, ${acknowledged.length} clicks`,
    },
    followUp("25 ms away", far),
    followUp("no network", near),
  ];
}
