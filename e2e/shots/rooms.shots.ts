import { pass, say } from "../support/conversation.ts";
import { attach, fileCard } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import { drawPng } from "../support/pictures.ts";
import { expectOnline, expectWaiting, joinByLink, joinForm, startRoom } from "../support/room.ts";
import { shoot } from "../support/shots.ts";

test("the start page", async ({ newPerson }) => {
  const { page } = await newPerson({ name: "Ada" });
  await page.goto("/");
  await page.getByRole("heading", { name: "Start a room" }).waitFor();
  await shoot(page, "start");
  await page.goto("/no/such/page");
  await page.getByRole("button", { name: "Go to Home" }).waitFor();
  await shoot(page, "not-found");
});

test("the way into a room by a link", async ({ newPerson }) => {
  const { page } = await newPerson({ name: "Ada" });
  await page.goto("/?id=harbour&join=true#pwd=correct%20horse");
  await page.getByRole("heading", { name: "Join harbour" }).waitFor();
  await shoot(page, "arrival");
  await page.getByRole("button", { name: "Picture, password and more" }).click();
  await expect(joinForm(page)).toBeVisible();
  await shoot(page, "join-form");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Join room" }).click();
  await expectWaiting(page);
  await shoot(page, "waiting");
  await page.getByRole("button", { name: /^Your profile/ }).click();
  await page.getByRole("button", { name: "Share this room" }).click();
  await page.getByRole("dialog", { name: "Share this room" }).waitFor();
  await shoot(page, "share");
});

test("a conversation", async ({ newPerson }) => {
  test.slow();
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await startRoom(ada, { room: "harbour" });
  await joinByLink(bo, "/?id=harbour&join=true");
  await expectOnline(ada.page, "Bo");
  await expectOnline(bo.page, "Ada");
  const { page } = ada;
  await pass(page, bo.page, "The survey is at https://example.org/harbour, and the pictures come now.");
  await pass(bo.page, page, "Good.\nI have the tide tables for the week.");

  const picture = drawPng(640, 400, (x, y) => [40 + y / 4, 90 + x / 8, 120 + y / 5]);
  await attach(bo.page, { name: "harbour.png", mimeType: "image/png", buffer: picture });
  await page.getByRole("button", { name: "Accept: harbour.png" }).click();
  await attach(page, { name: "tide-tables.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(98_000) });
  await bo.page.getByRole("button", { name: "Accept: tide-tables.pdf" }).click();
  await expect(fileCard(page, "tide-tables.pdf")).toContainText("Received by Bo");
  await attach(bo.page, { name: "survey.mov", mimeType: "video/quicktime", buffer: Buffer.alloc(862_000) });
  await expect(fileCard(page, "survey.mov").getByRole("button", { name: /^Accept/ })).toBeVisible();
  await say(page, "See you at nine.");
  await shoot(page, "conversation");

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "About Bo" }).click();
  await page.getByRole("dialog").waitFor();
  await shoot(page, "client-info");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Back" }).click();
  await shoot(page, "people");
  await page.getByRole("option", { name: /^Warren/ }).click();
  await shoot(page, "welcome");
});
