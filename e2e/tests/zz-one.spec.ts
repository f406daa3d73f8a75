import { openConversation, sendText, messagesWith, messageLog } from "../support/conversation.ts";
import { expect, type Person, test } from "../support/fixtures.ts";
import { copyLink, expectOnline, expectWaiting, joinByLink, personRow, startRoom } from "../support/room.ts";
import type { Page } from "@playwright/test";
const out = "/tmp/rev-web-shots/";
const sizes = { w: { width: 1440, height: 900 }, p: { width: 390, height: 844 } };
async function pics(page: Page, name: string, which: string[] = ["w-light","p-dark"]) {
  const before = page.viewportSize();
  for (const x of which) { const [s, c] = x.split("-") as ["w"|"p","light"|"dark"];
    await page.setViewportSize(sizes[s]); await page.emulateMedia({ colorScheme: c, reducedMotion: "reduce" });
    await page.waitForTimeout(250); await page.screenshot({ path: `${out}${name}-${x}.png` }); }
  if (before) await page.setViewportSize(before);
}
let n = 0;
async function step(name: string, f: () => Promise<unknown>) {
  const t = Date.now();
  try { const r = await f(); console.log("OK  ", name, Date.now()-t, r ?? ""); }
  catch (e) { console.log("FAIL", name, Date.now()-t, String((e as Error).message).slice(0, 900)); }
}
test.setTimeout(230_000);
test.use({ actionTimeout: 12_000 });
for (const locale of (process.env.LOC ?? "en-US").split(",")) 
test(`newcomer ${locale}`, async ({ newPerson, room, server }) => {
  const a = await newPerson({ name: "Ada", locale, expectedErrors: /^$/ });
  const { page } = a; 
  page.on("console", (m) => { if (["error","warning"].includes(m.type())) console.log("CONSOLE", m.type(), m.text()); });
  await page.goto("/");
  const zh = locale.startsWith("zh");
  const focus = () => page.evaluate(() => { const e = document.activeElement; return e ? `${e.tagName} ${e.getAttribute("aria-label") ?? ""} ${e.textContent?.slice(0,40)}` : "none"; });
  await page.waitForTimeout(1500);
  await pics(page, `start-${locale}`, ["w-light","w-dark","p-light","p-dark"]);
  if (zh) return;
  await step("name", async () => page.getByRole("textbox", { name: "Your name" }).fill("Ada"));
  await step("new room", async () => { await page.getByRole("button", { name: /New room/ }).first().click(); await page.waitForTimeout(600); return [page.url(), await page.getByRole("dialog").count()]; });
  await pics(page, "new-room-click");
  await step("create", async () => { const d = page.getByRole("dialog"); if (await d.count()) await d.getByRole("button", { name: /Create/ }).click(); await expectWaiting(page); return page.url(); });
  await pics(page, "waiting", ["w-light","p-light","p-dark"]);
  const link = await copyLink(a);
  console.log("LINK", link, "ADDR", page.url());
  const b = await newPerson({ name: "Bo" });
  await step("bo arrival", async () => { await b.page.goto(link); await b.page.getByRole("textbox", { name: "Your name" }).fill("Bo"); await pics(b.page, "arrival"); return b.page.url(); });
  await step("bo joins", async () => { await b.page.getByRole("button", { name: "Join room" }).click(); await b.page.waitForTimeout(2500); return b.page.url(); });
  await step("online", async () => { await expectOnline(page, "Bo"); return page.url(); });
  console.log("focus after meet", await focus());
  await pics(page, "met", ["w-light","p-dark"]);
  await step("history stack", async () => { await page.goBack(); await page.waitForTimeout(800); const u1 = page.url(); await page.goForward(); await page.waitForTimeout(800); return [u1, page.url()]; });
  await openConversation(page, "Everyone"); await openConversation(b.page, "Everyone");
  await sendText(page, "Hello everyone from Ada in the first room"); await sendText(b.page, "Answer by Bo");
  await pics(page, "everyone", ["w-light","w-dark","p-light","p-dark"]);
  const first = decodeURIComponent(page.url());
  await step("switcher open", async () => { await page.getByRole("button", { name: /switch room/ }).click(); await page.waitForTimeout(300); });
  await page.screenshot({ path: `${out}switcher.png` });
  await step("new room from switcher", async () => { await page.getByRole("menuitem", { name: "New room" }).click(); await page.waitForTimeout(500); await pics(page, "new-room-dialog", ["w-light","p-dark"]); await page.getByRole("dialog").getByRole("button", { name: /Create/ }).click(); await expectWaiting(page); return page.url(); });
  const second = page.url();
  await step("back x1", async () => { await page.goBack(); await page.waitForTimeout(2000); return [page.url(), await page.getByRole("button", { name: /switch room/ }).textContent(), await page.getByRole("heading", { level: 1 }).allTextContents()]; });
  await pics(page, "back1");
  await step("back x2", async () => { await page.goBack(); await page.waitForTimeout(3000); return [page.url(), await page.getByRole("button", { name: /switch room/ }).textContent()]; });
  await pics(page, "back2");
  await step("back x3", async () => { await page.goBack(); await page.waitForTimeout(3000); return [page.url(), await page.getByRole("button", { name: /switch room/ }).first().textContent()]; });
  await step("fwd x1", async () => { await page.goForward(); await page.waitForTimeout(3000); return [page.url(), await page.getByRole("button", { name: /switch room/ }).textContent()]; });
  await step("reload", async () => { await page.reload(); await page.waitForTimeout(3000); return [page.url(), await page.getByRole("button", { name: /switch room/ }).textContent()]; });
  await pics(page, "reloaded");
  await step("old link in the same tab", async () => { await page.goto(`/?id=${room}-x&join=true#pwd=sec%20ret`); await page.waitForTimeout(1500); return [page.url(), await page.getByRole("heading").allTextContents()]; });
  await pics(page, "oldlink");
  await step("decline", async () => { await page.getByRole("button", { name: "Not now" }).click(); await page.waitForTimeout(1500); return [page.url(), await page.getByRole("heading").allTextContents(), await focus()]; });
  await pics(page, "declined");
  await step("r link to kept room with password, without pwd", async () => { await page.goto(second); await page.waitForTimeout(2500); return [page.url(), await page.getByRole("heading").allTextContents()]; });
  await pics(page, "kept-room-addr");
  await step("join there", async () => { const j = page.getByRole("button", { name: "Join room" }); if (await j.count()) await j.click(); await page.waitForTimeout(2500); return [page.url(), await page.getByRole("button", { name: /switch room/ }).textContent()]; });
  await step("back from there", async () => { await page.goBack(); await page.waitForTimeout(3000); return [page.url(), await page.getByRole("heading").allTextContents()]; });
  await pics(page, "back-from-there");
});
