import { afterAll, expect, test } from "vitest";
import { words } from "../../../src/core/words.ts";
import { closeChromium, newProfile } from "../../support/chromium.ts";
import { PLAN } from "../../support/login.ts";
import { ask, elsewhere, openPage, outcome, startBot } from "../../support/web.ts";

afterAll(closeChromium);

async function onPlan(more: Parameters<typeof ask>[3] = {}) {
  const bot = await startBot();
  const opened = await ask(bot, "plan", PLAN, more);
  const page = await openPage(await newProfile(), bot, opened);
  await page.locator(".markdown li").first().waitFor();
  const comment = async (block: number, words: string): Promise<void> => {
    await page.getByRole("button", { name: `Comment on ¶${block}`, exact: true }).click();
    await page.keyboard.type(words);
    await page.keyboard.press("Control+Enter");
    await page.locator("main").getByText(words).waitFor();
  };
  return { bot, opened, page, comment };
}

test("comments are added, changed and removed; feedback is given; changes are requested", async () => {
  const { bot, opened, page, comment } = await onPlan();
  await comment(2, "By mail?");
  await comment(4, "And phishing");
  await comment(5, "Too short");
  const list = (block: string) => page.getByRole("article", { name: block });
  await list("Block 4").getByRole("button", { name: "Edit" }).click();
  await page.keyboard.press("End");
  await page.keyboard.type("?");
  await list("Block 4").getByRole("button", { name: "Save" }).click();
  await list("Block 4").getByText("And phishing?").waitFor();
  await list("Block 5").getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await list("Block 5").getByText("Too short").waitFor({ state: "detached" });
  const whole = page.getByRole("region", { name: words("en").feedbackTitle });
  await whole.getByRole("textbox").fill("Tighten the token TTL.");
  await page.keyboard.press("Control+Enter");
  await whole.locator(".said").getByText("Tighten the token TTL.").waitFor();
  await page.getByRole("button", { name: "Request changes" }).click();
  const { result } = await outcome(bot, opened);
  expect(result).toMatchObject({
    status: "submitted",
    decision: "revise",
    generalFeedback: "Tighten the token TTL.",
    annotations: [
      { blockIndex: 1, quote: "We send a link.", comment: "By mail?", by: "ana" },
      { blockIndex: 3, comment: "And phishing?" },
    ],
  });
  await page
    .locator("main")
    .getByText(/Changes requested by ana/)
    .first()
    .waitFor();
});

test("requesting changes without a word asks what should change", async () => {
  const { bot, opened, page } = await onPlan();
  await page.getByRole("button", { name: "Request changes" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("Everything.");
  await page.getByRole("dialog").getByRole("button", { name: "Request changes" }).click();
  expect((await outcome(bot, opened)).result).toMatchObject({
    decision: "revise",
    generalFeedback: "Everything.",
  });
});

test("a plan is approved, and then folds", async () => {
  const { bot, opened, page } = await onPlan();
  await page.getByRole("button", { name: "Approve" }).click();
  expect((await outcome(bot, opened)).result).toMatchObject({ decision: "approve", annotations: [] });
  await page
    .locator("main")
    .getByText(/Approved by ana/)
    .first()
    .waitFor();
  expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
});

test("what is said elsewhere appears while somebody writes", async () => {
  const { bot, opened, page } = await onPlan();
  await page.getByRole("button", { name: "Comment on ¶2" }).click();
  await page.keyboard.type("By ");
  await elsewhere(bot, opened, { verb: "comment", target: "b0", words: "Which login?" });
  await page.locator("main").getByText("Which login?").waitFor();
  await page.keyboard.type("mail?");
  expect(await page.getByRole("textbox", { name: "Comment on ¶2" }).inputValue()).toBe("By mail?");
});

test("where reviewers are named, the page comments and cannot settle", async () => {
  const { page, comment } = await onPlan({
    via: ["web", "slack"],
    to: ["#plans"],
    policy: { reviewers: ["slack:T1/U1"] },
  });
  await comment(2, "By mail?");
  expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
  expect(await page.getByRole("button", { name: "Request changes" }).count()).toBe(0);
});
