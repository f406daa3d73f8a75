import type { Locator, Page } from "@playwright/test";
import type { Translate } from "../../apps/web/src/i18n/messages.ts";
import { expect, type Person, test } from "../support/fixtures.ts";
import { chooseFrom } from "../support/menu.ts";
import { dismiss } from "../support/room.ts";
import { wordsOf } from "../support/words.ts";

const english = wordsOf("en-us");
const simplified = wordsOf("zh-cn");
const traditional = wordsOf("zh-tw");

const chineseWords = /\/assets\/zh-(?:cn|tw)-[^/]+\.js/;

async function join({ page, name }: Person, t: Translate): Promise<void> {
  await page.getByRole("textbox", { name: t("arrival.name") }).fill(name);
  await page.getByRole("button", { name: t("arrival.join") }).click();
}

function row(page: Page, t: Translate, name: string): Locator {
  return page
    .getByRole("navigation", { name: t("people.label") })
    .getByRole("link")
    .filter({ hasText: name });
}

/** Opens a dialog with `open`, waits for it by its name, and closes it. */
async function lookAtDialog(page: Page, name: string | RegExp, open: () => Promise<void>): Promise<void> {
  await open();
  const dialog = page.getByRole("dialog", { name });
  await expect(dialog).toBeVisible();
  await dismiss(dialog);
}

async function press(place: Page | Locator, name: string): Promise<void> {
  await place.getByRole("button", { name, exact: true }).click();
}

for (const { t, browser, lang } of [
  { t: simplified, browser: "zh-SG", lang: "zh-CN" },
  { t: traditional, browser: "zh-HK", lang: "zh-TW" },
]) {
  test(`a browser in ${browser} shows every screen in ${lang}`, async ({ newPerson, room }) => {
    test.slow();
    const ada = await newPerson({ name: "Ada", locale: browser });
    const bo = await newPerson({ name: "小波", locale: browser });
    const { page } = ada;

    await page.goto(`/?id=${room}&join=true`);
    await expect(page.getByRole("heading", { name: t("arrival.title", { room }) })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", lang);
    await expect(page).toHaveTitle(t("title.page", { page: t("arrival.title", { room }) }));
    await lookAtDialog(page, t("profile.edit"), () => press(page, t("arrival.picture")));
    await lookAtDialog(page, t("join.title"), () => press(page, t("join.edit")));
    await lookAtDialog(page, t("howItWorks.title"), () => press(page, t("arrival.howItWorks")));
    await lookAtDialog(page, t("about.title"), () => press(page, t("arrival.about")));
    await join(ada, t);
    await expect(page.getByRole("heading", { name: t("waiting.title") })).toBeVisible();
    await press(page, t("waiting.copyLink"));
    await expect(page.getByText(t("toast.link_copy_success"))).toBeVisible();
    await lookAtDialog(page, t("share.title"), () => press(page, t("people.shareRoom")));

    await bo.page.goto(`/?id=${room}&join=true`);
    await join(bo, t);
    await row(page, t, "小波").click();
    await expect(page.getByRole("region", { name: t("conversation.label", { name: "小波" }) })).toBeVisible();
    await page.getByRole("textbox", { name: t("composer.label") }).fill("你好");
    await press(page, t("common.send"));
    const message = page.getByRole("log").getByRole("article").filter({ hasText: "你好" });
    await expect(message.getByText(t("conversation.received"), { exact: true })).toBeAttached();
    await lookAtDialog(page, "小波", () => press(page, t("conversation.about", { name: "小波" })));
    await page.getByRole("button", { name: t("conversation.compareFiles") }).click();
    await expect(page.getByRole("heading", { name: t("compare.title", { name: "小波" }) })).toBeVisible();

    await page.getByRole("link", { name: t("nav.files") }).click();
    await expect(page.getByRole("heading", { level: 1, name: t("files.title") })).toBeVisible();
    await page.getByRole("link", { name: t("nav.call") }).click();
    await expect(page.getByRole("heading", { name: t("call.noStream") })).toBeVisible();
    await page.getByRole("link", { name: t("nav.settings") }).click();
    for (const section of [
      "connection",
      "sender",
      "receiver",
      "media",
      "about",
      "advanced",
      "appearance",
    ] as const) {
      const title = t(`settings.section.${section}.title`);
      await page
        .getByRole("navigation", { name: t("settings.sections") })
        .getByRole("link", { name: title })
        .click();
      await expect(page.getByRole("heading", { name: title })).toBeVisible();
    }

    await page.getByRole("link", { name: t("nav.chat") }).click();
    await chooseFrom(page.getByRole("button", { name: t("people.roomMenu") }), t("people.leaveRoom"));
    const question = page.getByRole("dialog", { name: t("leave.title", { room }) });
    await question.getByRole("button", { name: t("leave.confirm") }).click();
    await expect(row(bo.page, t, "Ada").getByText(t("people.status.leave"), { exact: true })).toBeAttached();
    await page.goto("/no/such/page");
    await expect(page.getByRole("button", { name: t("notFound.home") })).toBeVisible();
  });
}

test("the language changes immediately in the running app, and is stored", async ({ newPerson, room }) => {
  const ada = await newPerson({ name: "Ada" });
  const { page, requests } = ada;
  await page.goto(`/?id=${room}&join=true`);
  await expect(page.getByRole("button", { name: english("arrival.join") })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "en-US");
  expect(requests.filter((address) => chineseWords.test(address))).toEqual([]);
  await page.evaluate(() => Object.assign(globalThis, { stays: true }));

  await page.getByRole("button", { name: english("language.label") }).click();
  await page.getByRole("menuitemradio", { name: "繁體中文" }).click();
  await expect(page.getByRole("button", { name: traditional("arrival.join") })).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(traditional("arrival.title", { room })));
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-TW");
  expect(await page.evaluate(() => Reflect.get(globalThis, "stays"))).toBe(true);

  await page.reload();
  await join(ada, traditional);
  await expect(page.getByRole("heading", { name: traditional("waiting.title") })).toBeVisible();
  await page.goto("/setting#appearance");
  const choice = (t: Translate) => page.getByRole("combobox", { name: t("settings.option.locale.label") });
  await choice(traditional).selectOption("简体中文");
  await expect(
    page.getByRole("heading", { level: 1, name: simplified("settings.section.appearance.title") }),
  ).toBeVisible();

  const byBrowser = simplified("settingsAppearance.browserLanguage", { name: "English" });
  await choice(simplified).selectOption(byBrowser);
  await expect(page.getByRole("link", { name: english("nav.settings") })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "en-US");
});

test("a Chinese browser shows no English first if its texts load quickly", async ({ newPerson }) => {
  const { page, context } = await newPerson({ name: "Ada", locale: "zh-CN" });
  // The page's clock is frozen, so that the texts load before its time limit on any machine.
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1_000);
  await page.route(chineseWords, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  await context.addInitScript((words) => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    new MutationObserver(() => {
      if (document.body?.innerText.includes(words)) seen.push(words);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  }, english("start.newRoom"));
  await page.goto("/");
  await expect(page.getByRole("button", { name: simplified("start.newRoom") })).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(globalThis, "seen"))).toEqual([]);
});

test("texts that load late replace English", async ({ newPerson }) => {
  const { page } = await newPerson({ name: "Ada", locale: "zh-TW" });
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(chineseWords, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/");
  await expect(page.getByRole("button", { name: english("start.newRoom") })).toBeVisible();
  release();
  await expect(page.getByRole("button", { name: traditional("start.newRoom") })).toBeVisible();
});

test("texts that cannot be fetched are shown in English with a notice, and can be retried", async ({
  newPerson,
}) => {
  const { page } = await newPerson({ name: "Ada", locale: "zh-CN", expectedErrors: /ERR_FAILED/ });
  await page.route(chineseWords, (route) => route.abort());
  await page.goto("/");
  await expect(page.getByText(english("language.failed", { language: "简体中文" }))).toBeVisible();
  await expect(page.getByRole("button", { name: english("start.newRoom") })).toBeVisible();
  await page.unroute(chineseWords);
  await press(page, english("common.tryAgain"));
  await expect(page.getByRole("button", { name: simplified("start.newRoom") })).toBeVisible();
});
