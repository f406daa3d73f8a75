import { expect, it } from "vitest";
import { everyone } from "../messages/message.ts";
import { addressed } from "../testing/addressed.ts";
import { TestWorld } from "../testing/test-world.ts";

it("brings with a reply which message it answers, also to who was away, and keeps it", async () => {
  const world = new TestWorld();
  const [mara, jun] = await world.twoPeers();
  await mara.warren.chat.sendText(jun.id, "Are you coming?");
  await world.until(() => jun.texts(mara.id).length === 1);
  const question = jun.messages(mara.id)[0]?.key;
  if (question === undefined) throw new Error("nothing arrived");
  const { id: maraId } = mara;
  await mara.close();
  await world.clock.advance(5_000);
  await jun.warren.chat.sendText(maraId, "Yes", question);
  await mara.reopen();
  await world.until(() => mara.texts(jun.id).length === 2);
  expect(mara.messages(jun.id)[1]).toMatchObject({ data: "Yes", quote: question });
  await mara.reload();
  expect(mara.messages(jun.id)[1]).toMatchObject({ data: "Yes", quote: question });
  await expect(mara.warren.chat.lookUp(question)).resolves.toMatchObject({ data: "Are you coming?" });
});

it("carries replies to everyone", async () => {
  const world = new TestWorld();
  const [mara, jun] = await world.twoPeers();
  await mara.warren.chat.sendText(everyone, "Who has the key?");
  await world.until(() => jun.texts(everyone).length === 1);
  await jun.warren.chat.sendText(everyone, "I have", jun.messages(everyone)[0]?.key);
  await world.until(() => mara.texts(everyone).length === 2);
  expect(mara.messages(everyone)[1]).toMatchObject({ quote: mara.messages(everyone)[0]?.key });
});

it("shows a reply to a message that is not here", async () => {
  const [mara, jun] = await new TestWorld().twoPeers();
  const quote = { client: jun.id, id: "never-sent" };
  const reply = { type: "send-text", id: "a-reply-1", data: "As I said", quote } as const;
  await mara.warren.chat.receive(jun.id, addressed(reply, jun.id, mara.id, 1_700_000_000_000));
  expect(mara.messages(jun.id)).toMatchObject([{ data: "As I said", quote: `${jun.id}/never-sent` }]);
  await expect(mara.warren.chat.lookUp(`${jun.id}/never-sent`)).resolves.toBeNull();
});
