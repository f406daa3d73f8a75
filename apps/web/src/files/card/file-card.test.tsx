import { act, cleanup, screen, waitFor } from "@testing-library/react";
import type { Offer, TransferState } from "@warren/core";
import { WarrenError } from "@warren/protocol";
import { useMemo, useState } from "react";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  clientIdOf,
  fakeContact,
  fakeFile,
  fakePeer,
  fakeStoredFile,
  fakeTransfer,
  me,
  roomWith,
  storedOf,
} from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../../testing/render-with-warren.tsx";
import { FileCard } from "./file-card.tsx";

const mara = clientIdOf(1);
const offer = fakeFile(mara, mara, {}, { state: "offered" }, 1);
const nothing = (): void => {};

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test("a card shows a received file whose bytes disappeared as missing, and requests it again", async () => {
  const fake = fakeWarren();
  const message = fakeFile(mara, mara, {}, { state: "complete" }, 1);
  const { fid } = message.file;
  fake.setLibrary(new Map([[fid, fakeStoredFile(message.file, { state: "missing", storedBytes: 0 })]]));
  const { user } = renderWithWarren(<FileCard message={message} isMine={false} onDelete={nothing} />, fake);
  expect(screen.getByText("862 kB, lost from this browser's storage")).toBeTruthy();
  expect(screen.queryByText("Received")).toBeNull();
  expect(screen.queryByRole("button", { name: /^Save/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: `Ask again: ${message.file.fileName}` }));
  expect(fake.argsOf("askAgain")).toEqual([[message.key]]);
});

test("my changed file is picked again and sent as a new one", async () => {
  const fake = fakeWarren();
  const error = { code: "source-changed", values: {} } as const;
  const message = fakeFile(me, mara, {}, { state: "failed", error }, 1);
  fake.fail("sendAgain", new WarrenError("source-changed"));
  const picked = new File(["newer"], message.file.fileName);
  const platform = { ...fakePlatform(), pickFiles: async () => [picked] };
  const card = <FileCard message={message} isMine onDelete={nothing} />;
  const { user } = renderWithWarren(card, fake, { platform });
  await user.click(screen.getByRole("button", { name: `Send again: ${message.file.fileName}` }));
  await waitFor(() => expect(fake.argsOf("sendFile")).toEqual([[message.conversation, picked]]));
});

test("a card shows and stops what another member gives in its author's place", async () => {
  const jun = clientIdOf(2);
  const fake = fakeWarren();
  const message = fakeFile(mara, "everyone", {}, { state: "pausedHere" }, 1, {
    offers: { [mara]: { state: "pausedHere" } },
  });
  const given = fakeFile(jun, jun, message.file, { state: "accepted" }, 2, { original: message.key });
  fake.setChat({ contacts: { [jun]: fakeContact(2, "Jun") } });
  fake.addMessage(given);
  fake.setSearches(new Map([[message.key, { state: "given", by: jun }]]));
  fake.setTransfer(fakeTransfer(given, jun, { now: { state: "running" } }));
  const { user } = renderWithWarren(<FileCard message={message} isMine={false} onDelete={nothing} />, fake);
  expect(screen.getByText(/from Jun$/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: `Cancel: ${message.file.fileName}` }));
  expect(fake.argsOf("cancelFile")).toEqual([[given.key]]);
  act(() => fake.setSearches(new Map([[message.key, { state: "nobody" }]])));
  expect(screen.queryByText(/from Jun$/)).toBeNull();
});

test("a card says whose offer it was that one member gives another", () => {
  const fake = fakeWarren();
  fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara") } });
  const original = fakeFile(mara, "everyone", {}, { state: "complete" }, 1).key;
  const message = fakeFile(me, clientIdOf(2), {}, { state: "complete" }, 2, { original });
  renderWithWarren(<FileCard message={message} isMine onDelete={nothing} />, fake);
  expect(screen.getByText("Passed on: Mara offered it to everyone")).toBeTruthy();
});

test("a card of a declined file looks unlike a received one, and gets it after all", async () => {
  const fake = fakeWarren();
  const message = fakeFile(mara, mara, {}, { state: "declined" }, 1);
  const { user } = renderWithWarren(<FileCard message={message} isMine={false} onDelete={nothing} />, fake);
  expect(screen.queryByRole("button", { name: /^(Save|Keep)/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: `Get it after all: ${message.file.fileName}` }));
  expect(fake.argsOf("acceptFile")).toEqual([[message.key]]);
});

test("a card of a received file shows that it was saved, and saves it again from its menu", async () => {
  const fake = fakeWarren();
  const message = fakeFile(mara, mara, {}, { state: "complete" }, 1);
  const { fid } = message.file;
  fake.setLibrary(new Map([[fid, fakeStoredFile(message.file, { saved: false })]]));
  const { user } = renderWithWarren(<FileCard message={message} isMine={false} onDelete={nothing} />, fake);
  expect(screen.getByText("Received")).toBeTruthy();
  act(() => fake.setLibrary(new Map([[fid, fakeStoredFile(message.file, { saved: true })]])));
  expect(screen.getByText("Saved")).toBeTruthy();
  expect(screen.queryByText("Received")).toBeNull();
  const savedAs = "gitignore";
  act(() => fake.setLibrary(new Map([[fid, fakeStoredFile(message.file, { saved: true, savedAs })]])));
  expect(screen.getByText("Saved as gitignore")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Save/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: `More: ${message.file.fileName}` }));
  expect(screen.getByRole("menuitem", { name: "Save again" })).toBeTruthy();
});

test("a card on a phone declines from the menu beside its one button", async () => {
  vi.spyOn(window, "matchMedia").mockImplementation(
    (query) =>
      ({
        matches: query.includes("<"),
        addEventListener() {},
        removeEventListener() {},
      }) as unknown as MediaQueryList,
  );
  const fake = fakeWarren();
  const { user } = renderWithWarren(<FileCard message={offer} isMine={false} onDelete={nothing} />, fake);
  expect(screen.queryByRole("button", { name: /^Decline/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: `More: ${offer.file.fileName}` }));
  await user.click(screen.getByRole("menuitem", { name: "Decline" }));
  expect(fake.argsOf("declineFile")).toEqual([[offer.key]]);
});

test("a card checks whether the bytes of its file are still here", async () => {
  const fake = fakeWarren();
  const message = fakeFile(mara, mara, {}, { state: "complete" }, 1);
  const { fid } = message.file;
  fake.setLibrary(new Map([[fid, fakeStoredFile(message.file)]]));
  renderWithWarren(<FileCard message={message} isMine={false} onDelete={nothing} />, fake);
  await expect.poll(() => fake.argsOf("openFile")).toEqual([[fid]]);
});

test("a card keeps keyboard focus as its buttons change, and focuses its row once there are none", () => {
  const fake = fakeWarren();
  let show = (_state: TransferState): void => {};
  function Row() {
    const [state, setState] = useState<Offer>({ state: "offered" });
    show = (next) =>
      act(() => {
        fake.setTransfer(fakeTransfer(offer, mara, { now: next }));
        setState(storedOf(next));
      });
    const message = useMemo(() => ({ ...offer, offers: { [mara]: state } }), [state]);
    return (
      <article tabIndex={-1}>
        <FileCard message={message} isMine={false} onDelete={nothing} />
      </article>
    );
  }
  renderWithWarren(<Row />, fake);
  const button = (verb: string): HTMLElement =>
    screen.getByRole("button", { name: `${verb}: ${offer.file.fileName}` });
  act(() => button("Save").focus());
  show({ state: "running" });
  expect(document.activeElement).toBe(button("Pause"));
  show({ state: "pausedHere" });
  expect(document.activeElement).toBe(button("Resume"));
  show({ state: "withdrawn", offeredAgain: true });
  expect(document.activeElement).toBe(screen.getByRole("article"));
});

test.each([
  ["Save anyway", []],
  ["Raise limit", [["maxFileSize", 2 * 1_000_000_000]]],
] as const)("a card of a file over the limit accepts it with %s", async (verb, raised) => {
  const fake = fakeWarren();
  fake.setOptions({ maxFileSize: 1_000_000_000 });
  const message = fakeFile(mara, mara, { fileSize: 1.3 * 1_000_000_000 }, { state: "offered" }, 1);
  const { user } = renderWithWarren(<FileCard message={message} isMine={false} onDelete={nothing} />, fake);
  expect(screen.queryByRole("button", { name: /^Save:/ })).toBeNull();
  if (verb === "Raise limit") {
    await user.click(screen.getByRole("button", { name: `More: ${message.file.fileName}` }));
    await user.click(screen.getByRole("menuitem", { name: verb }));
  } else await user.click(screen.getByRole("button", { name: `${verb}: ${message.file.fileName}` }));
  expect(fake.argsOf("acceptFile")).toEqual([[message.key]]);
  expect(fake.argsOf("setOption")).toEqual(raised);
});

test("a card shows the original name of a folder that had to be renamed", () => {
  const originalName = "ä".repeat(127);
  const names = { fileName: "ä".repeat(120), originalName };
  const message = fakeFile(mara, mara, names, { state: "offered" }, 1);
  renderWithWarren(<FileCard message={message} isMine={false} onDelete={nothing} />, fakeWarren());
  expect(screen.getByText(`Original name: ${originalName}`)).toBeTruthy();
});

test("a folder whose files are within the limit is accepted without a warning, whatever the size of its manifest", () => {
  const fake = fakeWarren();
  fake.setOptions({ maxFileSize: 1_000_000_000 });
  const summary = { kind: "folder", files: 2, folders: 1, manifestDigest: "0".repeat(64) } as const;
  const tree = { ...summary, manifestSize: 90_000 };
  const message = fakeFile(mara, mara, { fileSize: 1_000_000_000 + 90_000, tree }, { state: "offered" }, 1);
  renderWithWarren(<FileCard message={message} isMine={false} onDelete={nothing} />, fake);
  expect(screen.getByRole("button", { name: `Save: ${message.file.fileName}` })).toBeTruthy();
});

test.each([
  ["is not said of a small file", 3, 5 * 1_000_000_000, "3 B, PDF"],
  [
    "is said of one that takes more than a tenth of it",
    1_000_000_000,
    5 * 1_000_000_000,
    "1 GB, PDF, 5 GB free",
  ],
])("free space %s", async (_name, fileSize, freeBytes, words) => {
  const fake = fakeWarren({ freeBytes });
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  const message = fakeFile(mara, mara, { fileSize }, { state: "offered" }, 1);
  renderWithWarren(<FileCard message={message} isMine={false} onDelete={nothing} />, fake);
  await act(async () => {}); // The free space is known by then.
  expect(screen.getByText(words)).toBeTruthy();
});

test.each([
  ["alone, its button is the first choice", 1, true, true],
  ["among several, that is the button for all", 2, true, false],
  ["of somebody away, there is no first choice", 1, false, false],
])("an offer: %s", (_name, count, isHere, isPrimary) => {
  const fake = fakeWarren();
  if (isHere) fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  const offers = [1, 2].slice(0, count).map((n) => fakeFile(mara, mara, {}, { state: "offered" }, n));
  for (const one of offers) fake.addMessage(one);
  renderWithWarren(<FileCard message={offer} isMine={false} onDelete={nothing} />, fake);
  const save = screen.getByRole("button", { name: /^Save:/ });
  expect(save.className.includes("bg-accent")).toBe(isPrimary);
});

describe("the preview of an offered picture", () => {
  const thumbnail = "data:image/webp;base64,AAAA";
  const picture = { fileName: "quay.png", mimeType: "image/png" };
  const cover = () => screen.queryByRole("button", { name: "Show picture: quay.png" });

  test("is shown if it is from somebody met before", () => {
    const fake = fakeWarren();
    fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara", { proven: true, accepted: true }) } });
    const message = fakeFile(mara, mara, picture, { state: "offered" }, 1, { thumbnail });
    renderWithWarren(<FileCard message={message} isMine={false} onDelete={nothing} />, fake);
    expect(cover()).toBeNull();
    expect(document.querySelector("img")?.className).not.toContain("blur");
  });

  test.each([
    ["a small one is fetched, and kept here", 2 * 1024 ** 2, true],
    ["a larger one is only uncovered", 2 * 1024 ** 2 + 1, false],
  ])("is covered until pressed if it is from a stranger: %s", async (_name, fileSize, isFetched) => {
    const fake = fakeWarren();
    fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara", { proven: true, accepted: false }) } });
    const message = fakeFile(mara, mara, { ...picture, fileSize }, { state: "offered" }, 1, { thumbnail });
    const { user } = renderWithWarren(<FileCard message={message} isMine={false} onDelete={nothing} />, fake);
    const covered = cover();
    expect(document.querySelector("img")?.className).toContain("blur");
    if (covered) await user.click(covered);
    expect(cover()).toBeNull();
    expect(document.querySelector("img")?.className).not.toContain("blur");
    expect(fake.argsOf("acceptFile")).toEqual(isFetched ? [[message.key]] : []);
  });
});
