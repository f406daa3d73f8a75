import {
  expectReceived,
  messageLog,
  messagesWith,
  openConversation,
  sendText,
} from "../support/conversation.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectOnline, meet } from "../support/room.ts";

test("who was away gets what both others wrote, also from the one who has left since", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  const cy = await newPerson({ name: "Cy" });
  await meet([ada, bo, cy], { room });
  for (const { page } of [ada, bo]) await openConversation(page, "Everyone");
  // A page that is closed keeps its storage.
  const url = cy.page.url();
  await cy.page.goto("about:blank");
  await sendText(ada.page, "First from Ada");
  await expect(messagesWith(bo.page, "First from Ada")).toBeVisible();
  await sendText(bo.page, "Then from Bo");
  await expect(messagesWith(ada.page, "Then from Bo")).toBeVisible();
  await sendText(ada.page, "And I leave");
  await expect(messagesWith(bo.page, "And I leave")).toBeVisible();
  await ada.page.goto("about:blank");

  await cy.page.goto(url);
  await expectOnline(cy.page, "Bo");
  await openConversation(cy.page, "Everyone");
  await expect(messageLog(cy.page).getByRole("article")).toHaveText([
    /First from Ada/,
    /Then from Bo/,
    /And I leave/,
  ]);
  await expectReceived(bo.page, "Then from Bo");
});
