import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { words } from "../../../src/core/words.ts";
import { closeChromium, newProfile } from "../../support/chromium.ts";
import { LOGIN, PLAN } from "../../support/login.ts";
import { until } from "../../support/until.ts";
import { ask, elsewhere, ground, openPage, outcome, startBot } from "../../support/web.ts";

afterAll(closeChromium);

const question = (page: Page, name: string) => page.getByRole("group", { name });
const banner = (page: Page) => page.getByText("The bot is away.");

test("a reload and a second tab show what was picked and what was being written", async () => {
  const bot = await startBot();
  const profile = await newProfile();
  const opened = await ask(bot, "clarity", LOGIN);
  const page = await openPage(profile, bot, opened);
  await page.getByRole("radio", { name: /Password \+ magic link/ }).check();
  await question(page, "Session length?").getByText("Other…").click();
  await page.keyboard.type("One we");
  await page.reload();
  const box = question(page, "Session length?").getByLabel("Your own words");
  await expect.poll(() => box.inputValue()).toBe("One we");
  expect(await page.getByRole("radio", { name: /Password \+ magic link/ }).isChecked()).toBe(true);

  const second = await profile.newPage();
  await second.goto(page.url());
  await question(second, "Password policy?").getByRole("radio", { name: "Strict" }).check();
  await expect
    .poll(() => question(page, "Password policy?").getByRole("radio", { name: "Strict" }).isChecked())
    .toBe(true);
  expect(await box.inputValue()).toBe("One we");
});

test("the bot is stopped and started again while somebody types: nothing is lost", async () => {
  const on = ground();
  const bot = await startBot(on);
  const opened = await ask(bot, "clarity", LOGIN);
  const page = await openPage(await newProfile(), bot, opened);
  await question(page, "Session length?").getByText("Other…").click();
  await page.keyboard.type("One ");
  await bot.stop();
  await banner(page).waitFor();
  await page.keyboard.type("week");
  const again = await startBot(on);
  expect(again.web.port).toBe(bot.web.port);
  await banner(page).waitFor({ state: "detached" });
  const box = question(page, "Session length?").getByLabel("Your own words");
  expect(await box.inputValue()).toBe("One week");
  expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press("Control+Enter");
  await page.getByText("One week — ana").first().waitFor();
  await page.getByRole("button", { name: "Accept recommended" }).click();
  await page.getByText("2 of 2").waitFor();
  await page.getByRole("button", { name: "Send to agent" }).click();
  expect((await outcome(again, opened)).result.result).toMatchObject([
    { optionId: "magic" },
    { answer: "One week" },
  ]);
});

test("what is picked and written while the bot is away is kept and arrives in order", async () => {
  const on = ground();
  const bot = await startBot(on);
  const opened = await ask(bot, "clarity", LOGIN);
  const page = await openPage(await newProfile(), bot, opened);
  await bot.stop();
  await banner(page).waitFor();
  await page.getByRole("radio", { name: /Password \+ magic link/ }).check();
  await question(page, "Session length?").getByRole("radio", { name: "One day" }).check();
  await question(page, "Session length?").getByText("Other…").click();
  await page.keyboard.type("One week");
  await page.keyboard.press("Tab");
  await page.getByText("3 changes wait here.").waitFor();
  expect(await page.getByRole("radio", { name: /Password \+ magic link/ }).isChecked()).toBe(true);
  const again = await startBot(on);
  await question(page, "Password policy?").waitFor();
  await page.getByText("One week — ana").first().waitFor();
  expect(await banner(page).count()).toBe(0);
  await question(page, "Password policy?").getByRole("radio", { name: "Lenient" }).check();
  await page.getByText("3 of 3").waitFor();
  await page.getByRole("button", { name: "Send to agent" }).click();
  expect((await outcome(again, opened)).result.result).toMatchObject([
    { optionId: "password" },
    { optionId: "lenient" },
    { answer: "One week", custom: true },
  ]);
});

test("a page that was closed while the bot was away delivers when it is opened again", async () => {
  const on = ground();
  const bot = await startBot(on);
  const profile = await newProfile();
  const opened = await ask(bot, "clarity", LOGIN);
  const page = await openPage(profile, bot, opened);
  const address = page.url();
  await bot.stop();
  await banner(page).waitFor();
  await page.getByRole("radio", { name: /Magic link only/ }).check();
  await page.close();
  await startBot(on);
  const later = await profile.newPage();
  await later.goto(address);
  await later.locator("main").getByText("Magic link only — ana").waitFor();
});

test("drafts of comments, changes and feedback outlive a reload", async () => {
  const bot = await startBot();
  const page = await openPage(await newProfile(), bot, await ask(bot, "plan", PLAN));
  await page.getByRole("button", { name: "Comment on ¶2" }).click();
  await page.keyboard.type("By mail?");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Edit" }).click();
  await page.keyboard.type(" Or");
  await page.getByRole("button", { name: "Comment on ¶4" }).click();
  await page.keyboard.type("What abou");
  await page
    .getByRole("region", { name: words("en").feedbackTitle })
    .getByRole("textbox")
    .fill("Short and go");
  await page.reload();
  await page.locator(".composer").first().waitFor();
  const written = await page
    .getByRole("textbox")
    .evaluateAll((boxes) => boxes.map((box) => (box instanceof HTMLTextAreaElement ? box.value : "")));
  expect(written).toEqual(["By mail? Or", "What abou", "Short and go"]);
});

test("a page in the background lets go of its connection, looks in, and is there at once when looked at", async () => {
  const bot = await startBot();
  const opened = await ask(bot, "clarity", LOGIN);
  const profile = await newProfile();
  await profile.clock.install();
  const page = await openPage(profile, bot, opened);
  const look = (state: "hidden" | "visible"): Promise<void> =>
    page.evaluate((value) => {
      Object.defineProperty(document, "visibilityState", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  const watching = (): number => bot.engine.figures().watching;
  await until(() => watching() === 1);
  await look("hidden");
  await page.clock.runFor(21_000);
  await until(() => watching() === 0);
  await elsewhere(bot, opened, { verb: "pick", target: "d0", values: ["o1"] });
  await page.clock.runFor(21_000);
  await expect.poll(() => page.title(), { timeout: 30_000 }).toBe("1 of 3 · Login PRD — askgate");
  await until(() => watching() === 0);
  await look("visible");
  await until(() => watching() === 1);
  expect(await page.getByText("The bot is away.").count()).toBe(0);
});
