import { expectReceived, messageLog, openConversation } from "../support/conversation.ts";
import { expect, test } from "../support/fixtures.ts";
import { holdReload } from "../support/held-reload.ts";
import { expectOnline, meet } from "../support/room.ts";

test("more large texts than a browser reads at once all arrive, and a line says how many wait", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meet([ada, bo], { room });
  await openConversation(ada.page, "Bo");
  const finish = await holdReload(bo.page);
  const texts = Array.from({ length: 14 }, (_, index) => `Scene ${index + 1}: `.padEnd(199 * 1024, "la "));
  const field = ada.page.getByRole("textbox", { name: "Message" });
  for (const text of texts) {
    await field.fill(text);
    await field.press("Control+Enter");
    await expect(field).toHaveValue("");
  }
  await finish();
  const line = ada.page.getByRole("region", { name: "Conversation with Bo" }).getByText("waiting to be sent");
  await expect(line).toHaveText(/^\d+ messages are waiting to be sent, one after another\.$/);
  await expectOnline(bo.page, "Ada");
  // What exceeds 2 Mi characters may be sent at 64 Ki a second.
  await expectReceived(ada.page, "Scene 14: ", { timeout: 60_000 });
  await expect(line).toBeHidden();
  await expect(ada.page.getByText("Not sent")).toHaveCount(0);
  await openConversation(bo.page, "Ada");
  const scenes = messageLog(bo.page).getByText(/^Scene \d+: /);
  await expect(scenes).toHaveText(texts.map((_, index) => new RegExp(`^Scene ${index + 1}: `)));
});
