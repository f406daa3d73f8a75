import {
  deliverText,
  messagesWith,
  openConversation,
  pressAction,
  sendText,
} from "../support/conversation.ts";
import { attach, fileCard, keepHere, writeRandomFile } from "../support/files.ts";
import { expect, type Person, ownServerTest as test } from "../support/fixtures.ts";
import { drawQuay } from "../support/pictures.ts";
import { meet, personRow } from "../support/room.ts";
import { shoot } from "../support/shots.ts";
import { wordsOf } from "../support/words.ts";

/** Mara, whose pages are captured, and two others in her room. */
async function meetThree(newPerson: (settings: { readonly name: string }) => Promise<Person>) {
  const mara = await newPerson({ name: "Mara" });
  const jun = await newPerson({ name: "Jun Park" });
  const elise = await newPerson({ name: "Elise van der Meer" });
  await meet([mara, jun, elise], { room: "harbour" });
  await Promise.all([openConversation(mara.page, jun.name), openConversation(jun.page, mara.name)]);
  return { page: mara.page, jun: jun.page, elise: elise.page };
}

test("a conversation and its dialogs", async ({ newPerson }) => {
  test.setTimeout(400_000);
  const { page, jun, elise } = await meetThree(newPerson);
  await shoot(page, "conversation-empty");
  const picture = drawQuay(640, 400);
  await attach(jun, { name: "quay.png", mimeType: "image/png", buffer: picture });
  await page.getByRole("button", { name: "Show picture: quay.png" }).waitFor();
  await shoot(page, "stranger-picture");
  await deliverText(page, jun, "The survey is at https://example.org/harbour, and the pictures come now.");
  await deliverText(jun, page, "Good.\nI have the tide tables for the week.");
  await attach(jun, { name: "harbour.png", mimeType: "image/png", buffer: picture });
  await attach(page, { name: "tide-tables.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(98_000) });
  await keepHere(fileCard(jun, "tide-tables.pdf"));
  await expect(fileCard(page, "tide-tables.pdf")).toContainText("Received by Jun");
  await attach(page, { name: "plans.dwg", mimeType: "", buffer: Buffer.alloc(412_000) });
  await jun.getByRole("button", { name: "Decline: plans.dwg" }).click();
  await attach(jun, { name: "survey.mov", mimeType: "video/quicktime", buffer: Buffer.alloc(862_000) });
  await expect(fileCard(page, "survey.mov").getByRole("button", { name: /^Decline:/ })).toBeVisible();
  await sendText(page, "See you at nine.");
  await shoot(page, "conversation");

  await shoot(page, "conversation-menu", {
    open: () => page.getByRole("button", { name: "More", exact: true }).first().click(),
  });
  await shoot(page, "attach-menu", {
    open: () => page.getByRole("button", { name: /^Send files.* clip/ }).click(),
  });
  const about = page.getByRole("button", { name: "About Jun Park" });
  await about.click();
  const technical = page.getByRole("dialog").getByRole("button", { name: "Technical details" });
  await technical.waitFor();
  await shoot(page, "person-info");
  await technical.click();
  await page.getByRole("dialog").evaluate((dialog) => dialog.scrollTo(0, dialog.scrollHeight));
  await shoot(page, "person-info-technical");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+f");
  await page.getByRole("searchbox", { name: "Search in this conversation" }).fill("tide");
  await shoot(page, "message-search");
  await page.keyboard.press("Escape");

  await shoot(page, "person-menu", {
    at: ["wide"],
    open: () => personRow(page, "Jun Park").click({ button: "right" }),
  });
  await personRow(page, "Jun Park").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Delete conversation" }).click();
  await page.getByRole("dialog").waitFor();
  await shoot(page, "delete-person");
  await page.keyboard.press("Escape");
  const message = messagesWith(page, "I have the tide tables");
  await message.hover();
  await shoot(page, "message-actions", {
    at: ["wide"],
    open: async () => {
      await message.hover();
      await message.getByRole("button", { name: "More actions" }).click();
    },
  });
  await pressAction(message, "Forward");
  await page.getByRole("dialog").getByRole("checkbox", { name: /Elise/ }).check();
  await shoot(page, "forward");
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await shoot(page, "shortcuts");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Room menu" }).click();
  await page.getByRole("menuitem", { name: "Leave room" }).click();
  await shoot(page, "leave-room");
  await page.keyboard.press("Escape");

  await elise.close();
  await openConversation(page, "Elise van der Meer");
  await sendText(page, "The key is under the third stone.");
  await shoot(page, "conversation-away");
  await openConversation(page, "Everyone");
  await sendText(page, "Low tide at 15:20.");
  await shoot(page, "everyone");
  await page.goto("/");
  await personRow(page, "Everyone").waitFor();
  await shoot(page, "people");
  const query = new URLSearchParams({ title: "Tides", text: "High at nine, low at twenty past three." });
  await page.goto(`/share?${query}`);
  await page.getByRole("button", { name: /^Jun/ }).waitFor();
  await shoot(page, "shared-items");
  await page.getByRole("button", { name: /^Jun/ }).click();
  await page.getByRole("dialog", { name: "Send to Jun" }).waitFor();
  await shoot(page, "send-item");
});

test("files in transfer", async ({ newPerson }, testInfo) => {
  test.slow();
  const { page, jun } = await meetThree(newPerson);
  await attach(jun, { name: "tide-tables.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(98_000) });
  await keepHere(fileCard(page, "tide-tables.pdf"));
  await expect(fileCard(page, "tide-tables.pdf")).toContainText("Received");
  const path = testInfo.outputPath("survey of the northern pier.mov");
  await writeRandomFile(path, 320);
  await attach(jun, path);
  await keepHere(fileCard(page, "survey"));
  await fileCard(page, "survey").getByRole("button", { name: "Pause" }).click();
  await attach(page, { name: "logbook.txt", mimeType: "text/plain", buffer: Buffer.alloc(41_000) });
  await attach(jun, {
    name: "harbour plan, second reading.dwg",
    mimeType: "",
    buffer: Buffer.alloc(862_000),
  });
  await expect(fileCard(page, "harbour plan")).toBeVisible();
  await shoot(page, "conversation-paused");
  const transfers = page.getByRole("button", { name: /^Transfers/ });
  await shoot(page, "transfers", { at: ["wide", "tablet"], open: () => transfers.click() });
  // On a phone the tray is a sheet, opened from the list during a transfer.
  await page.setViewportSize({ width: 390, height: 844 });
  await fileCard(page, "survey").getByRole("button", { name: "Resume" }).click();
  await page.getByRole("link", { name: "Back" }).click();
  await transfers.click();
  await page.getByRole("dialog", { name: "Transfers" }).waitFor();
  await shoot(page, "transfers", { at: ["phone", "zoomed", "narrow"] });
});

test("the stage", async ({ newPerson }) => {
  const { page } = await newPerson({ name: "Mara" });
  await page.goto("/?id=harbour&join=true");
  await page.getByRole("button", { name: "Join room" }).click();
  await page.getByRole("link", { name: "Call", exact: true }).click();
  await page.getByRole("heading", { name: "No Stream" }).waitFor();
  await shoot(page, "stage");
});

test("what people do with messages, in every language", async ({ newPerson }) => {
  test.setTimeout(900_000);
  const { page, jun } = await meetThree(newPerson);
  await deliverText(jun, page, "Shall we take the ferry at nine?");
  await deliverText(jun, page, "The survey of the northern pier is done.");
  await deliverText(page, jun, "I bring the tide tables.");
  await deliverText(page, jun, "The code of the gate is 4711.");
  await deliverText(page, jun, "See you at the quay at ten.");
  await pressAction(messagesWith(page, "Shall we take the ferry"), "Reply");
  await sendText(page, "Nine is fine. 九点可以。");
  await pressAction(messagesWith(page, "See you at the quay"), "Edit");
  await page.getByRole("textbox", { name: "Message" }).fill("See you at the quay at nine.");
  await page.keyboard.press("Control+Enter");
  await pressAction(messagesWith(page, "4711"), "Delete message");
  await page.getByRole("dialog").getByRole("button", { name: "Delete for Jun too" }).click();
  await pressAction(messagesWith(page, "The survey"), "React with 👍");
  await pressAction(messagesWith(jun, "The survey"), "React with 👍");
  await pressAction(messagesWith(jun, "The survey"), "React with 🙏");
  await pressAction(messagesWith(jun, "I bring"), "React with ❤️");
  for (const locale of ["en-us", "zh-cn", "zh-tw"] as const) {
    const t = wordsOf(locale);
    await page.goto("/");
    await page.evaluate((locale) => {
      const options = JSON.parse(localStorage.getItem("app_options") ?? "{}");
      localStorage.setItem("app_options", JSON.stringify({ ...options, locale }));
    }, locale);
    await page.reload();
    await page.getByRole("link").filter({ hasText: "Jun Park" }).first().waitFor();
    await sendText(jun, `The ferry is late. ${locale}`);
    await sendText(jun, `So am I. ${locale}`);
    await page.getByRole("link").filter({ hasText: "Jun Park" }).first().click();
    const wide = ["wide", "phone"] as const;
    await shoot(page, `talk-${locale}`, {
      at: wide,
      open: async () => {
        await jun.getByRole("textbox", { name: "Message" }).fill(`I ${Math.random()}`);
        await page.getByText(t("conversation.writing")).first().waitFor();
      },
    });
    const survey = messagesWith(page, "The survey");
    await survey.focus();
    await shoot(page, `talk-actions-${locale}`, { at: ["wide"], open: () => survey.focus() });
    await page.keyboard.press("x");
    await page.keyboard.press("Shift+ArrowDown");
    await shoot(page, `talk-selected-${locale}`, { at: wide });
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+f");
    await page.keyboard.type("nine");
    await shoot(page, `talk-search-${locale}`, { at: wide });
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await survey.hover();
    await survey.getByRole("button", { name: t("conversation.react"), exact: true }).click();
    await page.getByRole("button", { name: t("conversation.reactWithAny") }).click();
    const field = page.getByRole("searchbox", { name: t("emojiChoice.search") });
    await field.waitFor();
    await shoot(page, `emoji-${locale}`, { at: wide });
    await field.fill({ "en-us": "hand", "zh-cn": "手", "zh-tw": "手" }[locale]);
    await page.keyboard.press("ArrowRight");
    await shoot(page, `emoji-found-${locale}`, { at: wide });
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
  }
});
