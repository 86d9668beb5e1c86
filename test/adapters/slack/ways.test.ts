/** What is Slack's own: how places are named, the slash command, files, and code as a snippet. */
import { expect, it } from "vitest";
import { example } from "../../support/examples.ts";
import { slackStage } from "../../support/slack-stage.ts";

it.each(["@Ana", "U0ANA", "ana@acme.test", "slack:@Ana"])("asks a person who is named %s", async (to) => {
  const stage = await slackStage();
  const { ana } = stage.team;
  const { notes, links } = await stage.open({ payload: example("login"), to: [to] });
  expect(ana.dm().transcript()).toContain("Login PRD");
  expect(notes).toEqual([]);
  expect(links).toMatchObject([{ surface: "slack", label: "asked Ana in Slack" }]);
});

it.each(["#plans", "plans", "C0PLANS", "slack:#plans"])("asks in a channel that is named %s", async (to) => {
  const stage = await slackStage();
  const { plans } = stage.team;
  const { links } = await stage.open({ payload: example("login"), to: [to] });
  const [home] = plans.messages();
  const url = `https://acme.slack.com/archives/C0PLANS/p${home?.ts.replace(".", "")}`;
  expect(links).toEqual([{ surface: "slack", label: "asked #plans in Slack", url, open: null }]);
});

it.each(["#nowhere", "@nobody", "nobody@acme.test"])("says that it cannot ask %s", async (to) => {
  const stage = await slackStage();
  stage.slack.expectError("users.lookupByEmail", "users_not_found", { maybe: true });
  const { result } = await stage.open({ payload: example("login"), to: [to] });
  expect(result).toMatchObject({ status: "unreachable" });
  expect(String(result?.reason)).toContain(to.replace(/^[@#]/, ""));
});

it("lists what waits for whoever asks, with links, and nothing to others", async () => {
  const stage = await slackStage();
  const { acme, ana, sam, plans } = stage.team;
  const luc = acme.person({ id: "U0LUC", name: "Luc", locale: "fr-FR" });
  plans.invites(luc);
  const open = () => ana.runs("/askgate", "", plans).then((answer) => JSON.stringify(answer?.blocks));
  expect(await open()).toContain("Nothing waits for you.");
  await stage.open({ payload: example("login") });
  await stage.open({ kind: "ask", payload: { question: "Which UI?" }, to: ["@Ana"], project: "/other" });
  const listed = await open();
  expect(listed).toContain("2 questions wait for you:");
  expect(listed).toContain("Login PRD · needs 1 decision · shop@main · Claude on mac");
  expect(listed).toContain("https://acme.slack.com/archives/C0PLANS/p");
  expect(JSON.stringify((await sam.runs("/askgate", "", sam.dm()))?.blocks)).toContain("Nothing waits");
  const french = JSON.stringify((await luc.runs("/askgate", "", plans))?.blocks);
  expect(french).toContain("question");
  expect(french).not.toContain("waits for you");
});

it("hands files on that come with words", async () => {
  const stage = await slackStage();
  const { ana, plans } = stage.team;
  const plan = { title: "Login flow", plan: "# Login\n\nWe send a link." };
  const asked = await stage.open({ kind: "plan", payload: plan });
  const [header, , block] = plans.messages();
  if (header === undefined || block === undefined) throw new Error("the plan does not stand");
  const files = [{ name: "sketch.png", mimetype: "image/png", content: "…" }];
  await ana.types(plans, "like this", { thread: block.ts, files });
  await stage.slack.until(() => plans.transcript().includes("Ana: 1 comment"));
  await ana.presses(header, "Request changes");
  const { result } = await stage.engine().wait(asked.round, Number.POSITIVE_INFINITY, false);
  expect(result).toMatchObject({
    annotations: [
      {
        comment: "like this",
        files: [{ name: "sketch.png", type: "image/png", url: expect.stringMatching(/^http/) }],
      },
    ],
  });
});

it("shows code over the limit as a file of its language, with its beginning on the message", async () => {
  const stage = await slackStage({ factor: Number.POSITIVE_INFINITY });
  const { plans } = stage.team;
  const code = Array.from({ length: 800 }, (_, at) => `export const step${at} = ${at};`).join("\n");
  await stage.open({
    kind: "plan",
    payload: { title: "Login flow", plan: `# Login\n\n\`\`\`ts\n${code}\n\`\`\`` },
  });
  const [, , block] = plans.messages();
  if (block === undefined) throw new Error("the block does not stand");
  expect(JSON.stringify(block.blocks)).toContain("export const step0 = 0;");
  const files = plans.thread(block.ts).flatMap((message) => message.files);
  expect(files.map(({ name, content }) => ({ name, text: content.toString("utf8") }))).toEqual([
    { name: "block-2.ts", text: code },
  ]);
});
