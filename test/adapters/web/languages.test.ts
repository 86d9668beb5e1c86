import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { pageWords } from "../../../src/adapters/web/page/words.ts";
import { words } from "../../../src/core/words.ts";
import { closeChromium, newProfile } from "../../support/chromium.ts";
import { LOGIN, PLAN } from "../../support/login.ts";
import { ask, openPage, startBot } from "../../support/web.ts";

afterAll(closeChromium);

const WIDE = {
  title: "A title of rather many words that goes on, andOneWordThatIsLongerThanAnyPhoneIsWide".slice(0, 120),
  plan: `# ${"long ".repeat(40)}\n\n${"unbroken".repeat(60)}\n\n| a | b | c | d | e | f | g |\n|---|---|---|---|---|---|---|\n| ${Array.from({ length: 7 }, () => "cell with words").join(" | ")} |\n\n\`\`\`\n${"code ".repeat(80)}\n\`\`\`\n\n- [ ] ${"task".repeat(50)}\n\n登录流程${"用户输入邮箱".repeat(30)}\n\nمرحبا بكم في الخطة`,
};

/** Nothing sticks out to the side. */
async function fitsIn(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
}

test.each([
  ["en-GB", "en"],
  ["zh-CN", "zh"],
  ["fr-FR", "fr"],
  ["es-ES", "es"],
  ["de-DE", "en"],
])("a browser in %s gets a page in %s, and the cards too", async (locale, lang) => {
  const bot = await startBot();
  const page = await openPage(await newProfile({ locale }), bot, await ask(bot, "clarity", LOGIN));
  await page.getByRole("button", { name: words(lang).send }).waitFor();
  await page.getByRole("button", { name: pageWords(lang).nextOpen }).waitFor();
  expect(await page.getAttribute("html", "lang")).toBe(lang);
  await page.getByText(words(lang).other).first().click();
  await page.getByLabel(pageWords(lang).ownLabel).fill("词 mots palabras");
  await bot.stop();
  await page.getByText(pageWords(lang).away).waitFor();
});

test("a link in a language wins over the browser's", async () => {
  const bot = await startBot();
  const { session } = await ask(bot, "clarity", LOGIN);
  const page = await (await newProfile({ locale: "fr-FR" })).newPage();
  await page.goto(bot.web.page(session, "zh-CN").url);
  await page.getByRole("button", { name: words("zh").send }).waitFor();
  await page.goto(bot.web.page(session, "es").open ?? "");
  await page.getByRole("button", { name: words("es").send }).waitFor();
});

test.each(["en-GB", "zh-CN", "fr-FR", "es-ES"])(
  "a phone of 360 pixels shows it all without scrolling sideways (%s)",
  async (locale) => {
    const bot = await startBot();
    const profile = await newProfile({
      locale,
      viewport: { width: 360, height: 640 },
      hasTouch: true,
      isMobile: true,
    });
    const [auth, ...rest] = LOGIN.decisions;
    const long = { ...auth, question: `${WIDE.title}?`, allow_custom: true };
    const clarity = await openPage(
      profile,
      bot,
      await ask(bot, "clarity", { ...LOGIN, title: WIDE.title, decisions: [long, ...rest] }),
    );
    await clarity.getByRole("radio", { name: /Password \+ magic link/ }).tap();
    await clarity.getByRole("group", { name: "Password policy?" }).waitFor();
    expect(await fitsIn(clarity)).toBe(true);
    const plan = await openPage(profile, bot, await ask(bot, "plan", WIDE, { project: "/other" }));
    await plan.locator(".markdown table").waitFor();
    await plan.getByRole("button", { name: words(locale).commentOn(3) }).tap();
    await plan.getByRole("textbox").first().waitFor();
    expect(await fitsIn(plan)).toBe(true);
  },
);

test("right-to-left words run right to left", async () => {
  const bot = await startBot();
  const page = await openPage(
    await newProfile(),
    bot,
    await ask(bot, "plan", { ...PLAN, title: "خطة تسجيل الدخول", plan: "مرحبا بكم\n\nhello" }),
  );
  const directions = (selector: string) =>
    page.locator(selector).evaluateAll((all) => all.map((one) => getComputedStyle(one).direction));
  expect(await directions("h1")).toContain("rtl");
  // A block is shown as its source until it is drawn.
  await page.locator(".markdown p").nth(1).waitFor();
  expect(await directions(".markdown > div")).toEqual(["rtl", "ltr"]);
});
