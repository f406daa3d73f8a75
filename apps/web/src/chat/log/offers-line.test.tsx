import { act, cleanup, screen, waitFor } from "@testing-library/react";
import type { TransferState } from "@warren/core";
import { afterEach, expect, test } from "vitest";
import { clientIdOf, fakeFile, fakePeer, me, roomWith } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import ConversationPane from "../conversation-pane.tsx";

const mara = clientIdOf(1);
const init: TransferState = { state: "offered" };
const mb = 1_000_000;
let at = 1;

afterEach(cleanup);

function show(
  ...offers: readonly (readonly [by: string, name: string, sizeBytes: number, state?: TransferState])[]
) {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  fake.setOptions({ maxFileSize: 100 * mb });
  const messages = offers.map(([by, fileName, fileSize, state = init]) =>
    fakeFile(by, mara, { fileName, fileSize }, state, at++, { key: `${mara}/${fileName}` }),
  );
  for (const message of messages) fake.addMessage(message);
  return { fake, messages, ...renderWithWarren(<ConversationPane conversationId={mara} />, fake) };
}

test("accepts all pending offers with one click, except those over the limit, decided or my own", async () => {
  const { fake, user } = show(
    [mara, "one.pdf", 2 * mb],
    [mara, "two.pdf", 3 * mb],
    [mara, "huge.iso", 101 * mb],
    [mara, "declined.pdf", mb, { state: "failed", error: { code: "transfer-declined", values: {} } }],
    [mara, "here.pdf", mb, { state: "complete" }],
    [me, "mine.pdf", mb],
  );
  await screen.findByText("2 files from Mara waiting, 5 MB in all");
  await user.click(screen.getByRole("button", { name: "Save all" }));
  await waitFor(() => expect(fake.argsOf("acceptFile")).toEqual([[`${mara}/one.pdf`], [`${mara}/two.pdf`]]));
  expect(document.activeElement).toBe(screen.getByRole("log"));
});

test("counts every file of a folder, or of several files offered at once", async () => {
  const { fake } = show([mara, "one.pdf", 2 * mb]);
  const manifestSize = 64;
  const tree = { kind: "files", files: 3, folders: 0, manifestSize, manifestDigest: "0".repeat(64) } as const;
  const fileSize = 3 * mb + manifestSize;
  act(() => fake.addMessage(fakeFile(mara, mara, { fileName: "3 files", fileSize, tree }, init, at++)));
  await screen.findByText("4 files from Mara waiting, 5 MB in all");
});

test("a single offer is only accepted on its card", async () => {
  show([mara, "one.pdf", 2 * mb], [mara, "huge.iso", 101 * mb]);
  await screen.findByRole("button", { name: "Save: one.pdf" });
  expect(screen.queryByRole("button", { name: "Save all" })).toBeNull();
});

test("it stays without its button after a file is accepted, until the next message", async () => {
  const { fake, messages } = show([mara, "one.pdf", 2 * mb], [mara, "two.pdf", 3 * mb]);
  await screen.findByRole("button", { name: "Save all" });
  const [one] = messages;
  if (one === undefined) expect.fail();
  act(() => fake.changeMessage({ ...one, offers: { [mara]: { state: "accepted" } } }));
  expect(screen.queryByRole("button", { name: "Save all" })).toBeNull();
  expect(screen.getByText("1 file from Mara waiting, 3 MB")).toBeTruthy();
  for (const message of messages)
    act(() => fake.changeMessage({ ...message, offers: { [mara]: { state: "complete" } } }));
  expect(screen.getByText("2 files received")).toBeTruthy();
  act(() => fake.addMessage(fakeFile(me, mara, { fileName: "mine.pdf", fileSize: mb }, init, at++)));
  expect(screen.queryByText(/files? (from|received)/)).toBeNull();
});
