import { expect, type Person, test } from "../support/fixtures.ts";
import { expectOnline, startRoom } from "../support/room.ts";
import { openSection } from "../support/settings.ts";

/** Browsers accept no configuration that names one of these. */
const refused = ["stun:127.0.0.1:3478?transport=udp", "stun:127.0.0.1:99999", "stun::3478"];

/** Stores servers as an import or an earlier version may have left them. */
async function withServers(person: Person, stuns: readonly string[]): Promise<Person> {
  const options = JSON.stringify({ servers: { stuns, turns: [] } });
  await person.context.addInitScript((stored) => localStorage.setItem("app_options", stored), options);
  return person;
}

test("servers that the browser refuses stop no connection, and the settings name each", async ({
  newPerson,
  room,
}) => {
  const ada = await withServers(await newPerson({ name: "Ada" }), refused);
  const bo = await withServers(await newPerson({ name: "Bo" }), []);
  await startRoom(ada, { room });
  await startRoom(bo, { room });
  await expectOnline(ada.page, "Bo");
  await expectOnline(bo.page, "Ada");

  await openSection(ada.page, "connection", "Connection");
  const group = ada.page.getByRole("region", { name: "STUN servers" });
  for (const url of refused)
    await expect(group.getByText(`This browser does not accept ${url} (`)).toBeVisible();
  await group.getByRole("button", { name: "Add a STUN server" }).click();
  await group.getByRole("textbox", { name: "Address" }).fill("stun:127.0.0.1:0");
  await group.getByRole("button", { name: "Save server" }).click();
  await expect(group.getByText("This browser does not accept stun:127.0.0.1:0 (")).toBeVisible();
});
