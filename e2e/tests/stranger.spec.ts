import { createHash, randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { expectReceived, messagesWith, openConversation, sendText } from "../support/conversation.ts";
import { attach, fileCard, keepHere, savedSha256 } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectOnline, expectWaiting, meet, personRow, showNewcomers, startRoom } from "../support/room.ts";
import { Stranger, type StrangerPeer } from "../support/stranger.ts";

const password = "quiet Füchse & 7";
const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

async function exchangeTexts(page: Page, peer: StrangerPeer, name: string): Promise<void> {
  await openConversation(page, name);
  await peer.sendText(`Hello from ${name}`);
  await expect(messagesWith(page, `Hello from ${name}`)).toBeVisible();
  await sendText(page, `Hello ${name}`);
  expect(await peer.nextText()).toBe(`Hello ${name}`);
  await expectReceived(page, `Hello ${name}`);
}

test("a client written from docs/protocol.md alone opens a locked room, admits a page and is admitted by one", async ({
  newPerson,
  server,
  room,
}) => {
  const bo = await newPerson({ name: "Bo" });
  const origin = server.url;
  const first = await Stranger.join({ origin, room, password, name: "Ida" });

  await startRoom(bo, { room, password });
  const toBo = await first.meet();
  expect(first.admitted).toBe(1);
  expect(toBo.name).toBe("Bo");
  await expectOnline(bo.page, "Ida");
  await exchangeTexts(bo.page, toBo, "Ida");

  const bytes = randomBytes(1_000_003);
  const sending = toBo.sendFile("chart.bin", bytes);
  await keepHere(fileCard(bo.page, "chart.bin"));
  await sending;
  expect(await savedSha256(bo.page, "chart.bin")).toBe(sha256(bytes));
  first.leave();

  await expect(Stranger.join({ origin, room, password: "loud", name: "Eve" })).rejects.toThrow(
    /incorrect.password/,
  );
  const second = await Stranger.join({ origin, room, password, name: "Uma" });
  await exchangeTexts(bo.page, await second.meet(), "Uma");
  second.leave();
});

test("a client written from docs/protocol.md alone joins an open room and receives a complete file", async ({
  newPerson,
  server,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  await startRoom(ada, { room });
  await expectWaiting(ada.page);

  const stranger = await Stranger.join({ origin: server.url, room, name: "Ida" });
  const toAda = await stranger.meet();
  expect(toAda.name).toBe("Ada");
  await exchangeTexts(ada.page, toAda, "Ida");

  const buffer = Buffer.concat([Buffer.from("a line of a log\n".repeat(100_000)), randomBytes(1_500_000)]);
  await attach(ada.page, { name: "tide.log", mimeType: "text/plain", buffer });
  const { name, bytes, deflatedChunks } = await toAda.receiveFile();
  expect(name).toBe("tide.log");
  expect(sha256(bytes)).toBe(sha256(buffer));
  expect(deflatedChunks).toBeGreaterThan(0);
  await expect(fileCard(ada.page, "tide.log")).toContainText("Received by Ida");
  stranger.leave();
});

test("a client written from docs/protocol.md alone takes part in the log of the room", async ({
  newPerson,
  server,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meet([ada, bo], { room });
  for (const { page } of [ada, bo]) await openConversation(page, "Everyone");
  await sendText(bo.page, "Before Ida came");
  await expect(messagesWith(ada.page, "Before Ida came")).toHaveCount(1);
  await showNewcomers(ada.page);
  const stranger = await Stranger.join({ origin: server.url, room, name: "Ida" });
  const peers = [await stranger.meet(), await stranger.meet()];
  const toAda = peers.find(({ name }) => name === "Ada");
  if (toAda === undefined) throw new Error("Ada is there");
  for (const { page } of [ada, bo]) await expectOnline(page, "Ida");
  expect(await toAda.nextOfEveryone()).toEqual({ text: "Before Ida came", isEarlier: true });
  stranger.sayToEveryone("From Ida to all");
  for (const { page } of [ada, bo])
    await expect(messagesWith(page, "From Ida to all")).not.toContainText("Not signed");

  await attach(ada.page, { name: "tide.log", mimeType: "text/plain", buffer: Buffer.from("ebb\n") });
  expect(String((await toAda.receiveFile()).bytes)).toBe("ebb\n");
  const chart = randomBytes(100_003);
  const sending = stranger.offerToEveryone("chart.bin", chart, toAda);
  await keepHere(fileCard(ada.page, "chart.bin"));
  await sending;
  expect(await savedSha256(ada.page, "chart.bin")).toBe(sha256(chart));

  await bo.page.goto("about:blank");
  await expect(personRow(ada.page, "Bo").getByText("online", { exact: true })).toHaveCount(0);
  await sendText(ada.page, "Bo is away");
  expect(await toAda.nextOfEveryone()).toEqual({ text: "Bo is away", isEarlier: false });
  await expect(messagesWith(ada.page, "Bo is away")).toContainText("received by 1 · Bo is not here");
  await ada.page.goto("about:blank");
  await bo.page.goto("/");
  await stranger.meet();
  await openConversation(bo.page, "Everyone");
  await expect(messagesWith(bo.page, "Bo is away")).toHaveCount(1);
  stranger.leave();
});
