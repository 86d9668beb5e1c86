import type { BrowserContext, Page, Request } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { closeChromium, newProfile } from "../../support/chromium.ts";
import { LOGIN } from "../../support/login.ts";
import { ask, openPage, startBot } from "../../support/web.ts";

afterAll(closeChromium);

/** Everything that the browser asks for, and what runs although it should not. */
async function watched(): Promise<{ profile: BrowserContext; requests: Request[]; ran: string[] }> {
  const profile = await newProfile();
  const requests: Request[] = [];
  const ran: string[] = [];
  profile.on("request", (request) => requests.push(request));
  profile.on("dialog", (dialog) => {
    ran.push(dialog.message());
    void dialog.dismiss();
  });
  return { profile, requests, ran };
}

async function onPlan(plan: string) {
  const seen = await watched();
  const bot = await startBot();
  const page = await openPage(seen.profile, bot, await ask(bot, "plan", { title: "Plan", plan }));
  return { ...seen, bot, page };
}

const drawn = (page: Page): Promise<void> =>
  page.waitForFunction(() => document.querySelector("[data-look=waiting]") === null).then(() => undefined);

test("the link's secret is in no address and no header, and what opens by it works", async () => {
  const { profile, requests } = await watched();
  const bot = await startBot();
  const opened = await ask(bot, "clarity", LOGIN);
  const secret = new URL(bot.web.page(opened.session).url).hash.split(".")[1] ?? "none";
  const page = await openPage(profile, bot, opened);
  expect(new URL(page.url()).pathname).toBe(`/s/${opened.session}`);
  expect(new URL(page.url()).hash).toBe("");
  for (const request of requests) {
    expect(request.url()).not.toContain(secret);
    expect(JSON.stringify(await request.allHeaders())).not.toContain(secret);
  }
  expect(
    requests
      .filter((request) => request.postData()?.includes(secret))
      .map((request) => new URL(request.url()).pathname),
  ).toEqual(["/enter"]);
  await page.goBack().catch(() => null);
  expect(page.url()).not.toContain(secret);
});

test("the ticket opens the page in the machine's own browser; used up, it says which link to open", async () => {
  const bot = await startBot();
  const opened = await ask(bot, "clarity", LOGIN);
  const { open } = bot.web.page(opened.session);
  const page = await (await newProfile()).newPage();
  await page.goto(open ?? "");
  await page.getByRole("heading", { name: "Login PRD" }).waitFor();
  const stranger = await (await newProfile()).newPage();
  await stranger.goto(open ?? "");
  await stranger.getByText("Open the link once more").waitFor();
  await stranger.goto(`http://127.0.0.1:${bot.web.port}/s/${opened.session}`);
  await stranger.getByText("Open the link once more").waitFor();
});

test("the cookie is out of reach of scripts, and the page holds no secret", async () => {
  const { profile } = await watched();
  const bot = await startBot();
  const opened = await ask(bot, "clarity", LOGIN);
  const page = await openPage(profile, bot, opened);
  expect(await page.evaluate(() => document.cookie)).toBe("");
  const [cookie] = await profile.cookies(page.url());
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", path: `/s/${opened.session}` });
  expect(await page.content()).not.toContain(cookie?.value ?? "none");
  expect(await profile.cookies(`http://127.0.0.1:${bot.web.port}/s/s_other`)).toEqual([]);
});

const HOSTILE = `<script>alert("script")</script>

<img src="https://evil.example/a.png" onerror="alert('onerror')">

![shown](https://evil.example/b.png "b") and <img src=x onerror=alert(2)>

<iframe src="https://evil.example/frame"></iframe><object data="https://evil.example/o"></object><embed src="https://evil.example/e">

[js](javascript:alert(1)) [data](data:text/html,<script>alert(1)</script>) <a href="java&#10;script:alert(1)">nl</a> [here](/s/x) [ok](https://example.com/ "t")

<svg onload="alert('svg')"><use href="https://evil.example/s.svg#x"></use></svg><math><mtext><style><img src=x onerror=alert(3)></style></mtext></math>

<form action="https://evil.example/f"><input name="q" autofocus onfocus="alert('focus')"><button>Approve</button></form>

<style>body { display: none; background: url(https://evil.example/c.css) }</style><link rel="stylesheet" href="https://evil.example/l.css">

<div style="position:fixed;inset:0;background:url(https://evil.example/d.png)" class="bar" id="page" onclick="alert(4)">cover</div>

<video src="https://evil.example/v.mp4" poster="https://evil.example/p.png" autoplay></video><audio src="https://evil.example/a.mp3"></audio>

<meta http-equiv="refresh" content="0;url=https://evil.example/"><base href="https://evil.example/">

last block`;

test("nothing in a plan runs, is fetched, or looks like the page's own", async () => {
  const { page, requests, ran, bot } = await onPlan(HOSTILE);
  await drawn(page);
  await page.getByText("last block").click();
  await page.getByText("cover").click();
  expect(ran).toEqual([]);
  const origin = `http://127.0.0.1:${bot.web.port}/`;
  expect(
    requests
      .map((request) => request.url())
      .filter((url) => !url.startsWith(origin) && !url.startsWith("data:")),
  ).toEqual([]);
  const plan = page.locator(".plan");
  const forbidden =
    "script, img, iframe, object, embed, svg, math, form, input, style, link, video, audio, meta, base, [style], .bar";
  expect(await plan.locator(forbidden).count()).toBe(0);
  expect(
    await plan.locator(".markdown").locator("[id], [class]:not(.scroll), button, textarea").count(),
  ).toBe(0);
  const attributes = await plan
    .locator(".markdown *")
    .evaluateAll((all) => all.flatMap((one) => one.getAttributeNames()));
  expect(attributes.filter((name) => name.startsWith("on"))).toEqual([]);
});

test("links are only links: to the web or to mail, in a tab of their own, without a referrer", async () => {
  const { page } = await onPlan(HOSTILE);
  await drawn(page);
  const links = await page
    .locator(".markdown a[href]")
    .evaluateAll((all) =>
      all.map((link) => [
        link.textContent,
        link.getAttribute("href"),
        link.getAttribute("target"),
        link.getAttribute("rel"),
      ]),
    );
  expect(links).toEqual([
    ["Image: https://evil.example/a.png", "https://evil.example/a.png", "_blank", "noopener noreferrer"],
    ["Image: shown", "https://evil.example/b.png", "_blank", "noopener noreferrer"],
    ["ok", "https://example.com/", "_blank", "noopener noreferrer"],
  ]);
});

test("markup in a clarity page is text", async () => {
  const { profile, ran } = await watched();
  const bot = await startBot();
  const [first, ...rest] = LOGIN.decisions;
  const question = "<img src=x onerror=alert(1)> which?";
  const opened = await ask(bot, "clarity", {
    ...LOGIN,
    title: "<b>Bold</b>",
    decisions: [{ ...first, question }, ...rest],
  });
  const page = await openPage(profile, bot, opened);
  await page.getByRole("heading", { name: "<b>Bold</b>" }).waitFor();
  await page.getByRole("group", { name: question }).waitFor();
  expect(ran).toEqual([]);
});

/** The longest that the page has been busy with anything. */
async function longestPause(page: Page): Promise<number> {
  return Number(await page.evaluate(() => document.body.dataset.pause));
}

async function measurePauses(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let last = performance.now();
    setInterval(() => {
      const now = performance.now();
      document.body.dataset.pause = String(Math.max(Number(document.body.dataset.pause ?? 0), now - last));
      last = now;
    }, 10);
  });
  await page.reload();
}

test("a block that cannot be drawn in time is shown as source, the others are drawn, and the page does not freeze", async () => {
  const slow = "_a__".repeat(20_000);
  const { page } = await onPlan(`# Before\n\n${slow}\n\nafter **all**`);
  await measurePauses(page);
  await page.locator(".markdown strong").getByText("all").waitFor();
  await page.getByText("Shown as source").waitFor();
  expect(await page.locator(".source[data-look=source] pre").textContent()).toContain(slow);
  expect(await longestPause(page)).toBeLessThan(2000);
});

test.each([
  ["33,000 × `*a `", "*a ".repeat(33_000)],
  ["20,000 × `>`", ">".repeat(20_000)],
])("%s is shown in full, drawn or as source, and the page does not freeze", async (_what, block) => {
  const { page } = await onPlan(`# Before\n\n${block}\n\nafter all`);
  await measurePauses(page);
  await page.locator(".plan").getByText("after all").waitFor();
  await drawn(page);
  expect(await page.locator(".plan").textContent()).toContain(block.trim());
  expect(await longestPause(page)).toBeLessThan(2000);
});
