import { deliverText, openConversation } from "../support/conversation.ts";
import { attach, fileCard, keepHere, savedSha256, writeRandomFile } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectOnline, startRoom } from "../support/room.ts";

for (const [clock, time] of [
  ["is in 1969", "1969-07-20T20:17:40Z"],
  ["is in 2056", "2056-07-20T20:17:40Z"],
] as const) {
  test(`two people exchange texts and files when the clock of one ${clock}, and keep everything after a reload`, async ({
    newPerson,
    room,
  }, testInfo) => {
    const [ada, bo] = [await newPerson({ name: "Ada" }), await newPerson({ name: "Bo" })];
    await bo.page.clock.setFixedTime(time);
    await startRoom(ada, { room });
    await expect(ada.page.getByRole("heading", { name: "Waiting for someone to join" })).toBeVisible();
    await startRoom(bo, { room });
    const joinedAt = Date.now();
    await Promise.all([expectOnline(ada.page, "Bo"), expectOnline(bo.page, "Ada")]);
    testInfo.annotations.push({ type: "met after", description: `${Date.now() - joinedAt} ms` });
    await openConversation(ada.page, "Bo");
    await openConversation(bo.page, "Ada");
    await deliverText(ada.page, bo.page, "From Ada");
    await deliverText(bo.page, ada.page, "From Bo");
    for (const [from, to, name] of [
      [ada, bo, "from-ada.bin"],
      [bo, ada, "from-bo.bin"],
    ] as const) {
      const path = testInfo.outputPath(name);
      const sha256 = await writeRandomFile(path, 2);
      await attach(from.page, path);
      await keepHere(fileCard(to.page, name));
      await expect(fileCard(to.page, name)).toContainText("Received");
      expect(await savedSha256(to.page, name)).toBe(sha256);
    }

    await bo.page.reload();
    await Promise.all([expectOnline(ada.page, "Bo"), expectOnline(bo.page, "Ada")]);
    await openConversation(bo.page, "Ada");
    await expect(bo.page.getByRole("log").getByRole("article")).toContainText([
      "From Ada",
      "From Bo",
      "from-ada.bin",
      "from-bo.bin",
    ]);
    await deliverText(ada.page, bo.page, "After the reload");
  });
}
