import {
  deliverText,
  expectReceived,
  messagesWith,
  openConversation,
  sendText,
} from "../support/conversation.ts";
import { expect, ownServerTest, test } from "../support/fixtures.ts";
import { holdReload } from "../support/held-reload.ts";
import { expectOnline, joinByLink, meet } from "../support/room.ts";
import { serverAwayErrors } from "../support/server.ts";

test("a reload on either side loses nothing", async ({ newPerson, room }) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meet([ada, bo], { room });
  await deliverText(ada.page, bo.page, "Written before by Ada");
  await deliverText(bo.page, ada.page, "Written before by Bo");

  for (const [reloading, staying] of [
    [bo, ada],
    [ada, bo],
  ] as const) {
    const meanwhile = `For ${reloading.name}, who is reloading`;
    const finish = await holdReload(reloading.page);
    await sendText(staying.page, meanwhile);
    await finish();

    await expectOnline(reloading.page, staying.name);
    await expectOnline(staying.page, reloading.name);
    await expectReceived(staying.page, meanwhile);
    await deliverText(reloading.page, staying.page, `${reloading.name} is back`);
    await deliverText(staying.page, reloading.page, `Welcome back, ${reloading.name}`);
    // Both directions have been used since, so a duplicate would be here by now.
    await expect(messagesWith(reloading.page, meanwhile)).toHaveCount(1);
  }

  for (const { page } of [ada, bo]) {
    await expect(messagesWith(page, "Written before by Ada")).toHaveCount(1);
    await expect(messagesWith(page, "Written before by Bo")).toHaveCount(1);
    await expect(messagesWith(page, "For Bo, who is reloading")).toHaveCount(1);
    await expect(messagesWith(page, "For Ada, who is reloading")).toHaveCount(1);
  }
});

ownServerTest(
  "a conversation continues while the server is down, and newcomers join once it is back",
  async ({ newPerson, server, room }) => {
    const ada = await newPerson({ name: "Ada", expectedErrors: serverAwayErrors });
    const bo = await newPerson({ name: "Bo", expectedErrors: serverAwayErrors });
    const cy = await newPerson({ name: "Cy" });
    const { link } = await meet([ada, bo], { room });
    const banner = "Warren's server does not answer. Trying again; connected people stay connected.";

    await server.stop();
    for (const { page } of [ada, bo]) await expect(page.getByRole("status").getByText(banner)).toBeVisible();
    await deliverText(ada.page, bo.page, "Can you still read me?");
    await deliverText(bo.page, ada.page, "Every word");

    await server.restart();
    for (const { page } of [ada, bo]) await expect(page.getByText(banner)).toBeHidden({ timeout: 90_000 });
    await deliverText(ada.page, bo.page, "The server is back");
    await joinByLink(cy, link);
    for (const { page, name } of [ada, bo]) {
      await expectOnline(page, "Cy");
      await expectOnline(cy.page, name);
      await openConversation(page, "Cy");
      await openConversation(cy.page, name);
      await deliverText(page, cy.page, `Hello Cy, here is ${name}`);
      await deliverText(cy.page, page, `Hello ${name}, here is Cy`);
    }
  },
);
