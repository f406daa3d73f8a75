import { messagesWith, openConversation, sendText } from "../support/conversation.ts";
import { attach, fileCard, keepHere } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectOnline, joinByLink, personRow, startRoom } from "../support/room.ts";
import { strangers } from "../support/strangers.ts";

const room = `"><img src=x onerror=alert(1)>`;
const name = "<svg onload=alert(2)>Bo</svg>";
const texts = [
  "<script>alert(3)</script>",
  `<img src="x" onerror="alert(4)">`,
  '<iframe src="javascript:alert(5)"></iframe>',
  "</p></article><style>body{display:none}</style>",
  "javascript:alert(6)",
  "[click](javascript:alert(7))",
  `https://example.org/"onmouseover="alert(8)`,
  "{{constructor.constructor('alert(9)')()}}",
  "<a href='data:text/html,<script>alert(10)</script>'>here</a>",
];
const fileName = "<img src=x onerror=alert(11)>.svg";
const file = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(12)"><script>alert(13)</script></svg>`;

test("markup in a room, a name, a message and a file name remains text", async ({ newPerson }) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name });
  await startRoom(ada, { room });
  const ownElements = await strangers(ada.page);
  await expect(ada.page.getByRole("heading", { name: room })).toBeVisible();
  await joinByLink(bo, `/?${new URLSearchParams({ id: room, join: "true" })}`);
  await expectOnline(ada.page, name);
  await expectOnline(bo.page, "Ada");
  await openConversation(ada.page, name);

  for (const text of texts) {
    await sendText(bo.page, text);
    await expect(messagesWith(ada.page, text).getByText(text, { exact: true })).toBeVisible();
    await expect(personRow(ada.page, name)).toContainText(text);
  }
  await attach(bo.page, { name: fileName, mimeType: "image/svg+xml", buffer: Buffer.from(file) });
  const card = fileCard(ada.page, "onerror=alert(11)");
  await keepHere(card);
  await expect(card).toContainText("Received");
  await expect(card.locator("img")).toHaveCount(0);
  const downloading = ada.page.waitForEvent("download");
  await card.getByRole("button", { name: /^Save/ }).click();
  expect((await downloading).suggestedFilename()).not.toMatch(/[<>:"/\\|?*]/);

  for (const { page } of [ada, bo]) expect(await strangers(page)).toEqual(ownElements);
});

test("markup in an address remains text", async ({ newPerson }) => {
  const { page } = await newPerson({ name: "Ada" });
  await page.goto(`/${encodeURIComponent("<img src=x onerror=alert(1)>")}`);
  await expect(page.getByRole("heading", { name: /^Nothing at / })).toContainText("alert(1)");
  expect(await strangers(page)).toEqual([]);
  await page.goto(`/client/${encodeURIComponent(room)}/chat`);
  await expect(page.getByRole("heading", { name: /^Nothing at / })).toContainText("alert(1)");
  expect(await strangers(page)).toEqual([]);
});
