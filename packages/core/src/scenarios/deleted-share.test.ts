import { expect, it } from "vitest";
import { TestWorld } from "../testing/test-world.ts";
import { until } from "../testing/until.ts";

it("a file that its owner deleted is refused to its receiver like an unknown file", async () => {
  const [mara, jun] = await new TestWorld().twoPeers();
  jun.warren.settings.set("automaticDownload", true);
  await mara.warren.chat.sendFile(jun.id, new File([new Uint8Array(2_000)], "poster.psd"));
  const stateOfJun = () => {
    const message = jun.messages(mara.id).findLast(({ type }) => type === "file");
    return message?.type === "file" ? message.offers[mara.id] : undefined;
  };
  await jun.untilMessages(mara.id, () => stateOfJun()?.state === "complete");
  const { chat } = jun.warren;
  await chat.askShares(mara.id);
  await until(chat.listings, (state) => state.get(mara.id)?.files?.length === 1);
  const file = chat.listings.getState().get(mara.id)?.files?.[0] ?? expect.fail();

  await mara.warren.chat.deleteFiles([file.fid]);
  await jun.warren.chat.deleteFiles([file.fid]);
  await chat.fetchShares(mara.id, [file]);
  await jun.untilMessages(mara.id, () => stateOfJun()?.state === "failed");
  expect(stateOfJun()).toMatchObject({ error: { code: "cache-info-not-found", values: { id: file.fid } } });
});
