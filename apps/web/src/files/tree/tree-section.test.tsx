import { createHash } from "node:crypto";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { FileMessage, TransferState } from "@warren/core";
import { encodeManifest } from "@warren/protocol/tree";
import { afterEach, expect, test, vi } from "vitest";
import { FakeTarget } from "../../testing/fake-folders.ts";
import {
  clientIdOf,
  fakeFile,
  fakePeer,
  fakeStoredFile,
  fakeTransfer,
  roomWith,
} from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../../testing/render-with-warren.tsx";
import { FileCard } from "../card/file-card.tsx";
import { TreeView } from "./tree-view.tsx";

const mara = clientIdOf(1);
const file = (path: string, size: number) =>
  ({ kind: "file", path, size, lastModified: 0, mimeType: "" }) as const;
const entries = [
  file("stills/quay 1.png", 400_000),
  file("stills/quay 2.png", 600_000),
  file("notes.txt", 12),
];
const manifest = encodeManifest([...entries, { kind: "folder", path: "void" }]);
const contentSize = 1_000_000 + 12;

function treeMessage(state: TransferState, change: Partial<FileMessage> = {}): FileMessage {
  const tree = {
    kind: "folder",
    files: 3,
    folders: 2,
    manifestSize: manifest.length,
    manifestDigest: createHash("sha256").update(manifest).digest("hex"),
  } as const;
  const description = {
    fileName: "Location scouting",
    fileSize: manifest.length + contentSize,
    mimeType: "",
  };
  const message = fakeFile(mara, mara, { ...description, tree }, state, 0);
  return { ...message, manifest, ...change };
}

function show(
  message: FileMessage,
  { isMine = false, isChanged = false, target = new FakeTarget(), onPreviewEntry = vi.fn() } = {},
) {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara")]));
  const stream = new File([manifest, new Uint8Array(contentSize).fill(65)], "Location scouting");
  if (isChanged) fake.changeFile(message.file.fid, stream);
  else fake.keepFile(message.file.fid, stream);
  fake.setLibrary(new Map([[message.file.fid, fakeStoredFile(message.file)]]));
  const platform = { ...fakePlatform(), pickTargetFolder: async () => target };
  const card = (
    <FileCard message={message} isMine={isMine} onDelete={() => {}} onPreviewEntry={onPreviewEntry} />
  );
  renderWithWarren(card, fake, { platform });
  return { fake, target, stream, onPreviewEntry };
}

const rowNames = () =>
  within(screen.getByRole("tree"))
    .getAllByRole("treeitem")
    .map((row) => {
      const read = row.cloneNode(true) as HTMLElement;
      for (const unread of read.querySelectorAll('[aria-hidden="true"]')) unread.remove();
      return read.textContent;
    });

afterEach(cleanup);

test("shows the content of an offered folder before it is accepted", async () => {
  show(treeMessage({ state: "offered" }));
  expect(screen.getByText("3 files in 2 folders, 1 MB")).toBeTruthy();
  await userEvent.click(await screen.findByRole("button", { name: "Show files: Location scouting" }));
  await screen.findByRole("tree", { name: "Files in Location scouting" });
  expect(rowNames()).toEqual(["stills2 files, 1 MB", "void0 files, 0 B", "notes.txt12 B"]);
  const saves = screen.getAllByRole("button", { name: /^Save/ });
  expect(saves.map((button) => button.getAttribute("aria-label"))).toEqual(["Save: Location scouting"]);
});

test("shows the current file and the number of completed ones, with the bytes beside the speed", async () => {
  const message = treeMessage({ state: "running" });
  const { fake } = show(message);
  await screen.findByRole("button", { name: "Show files: Location scouting" });
  const transferredBytes = manifest.length + 500_000;
  fake.setTransfer(fakeTransfer(message, mara, { transferredBytes, bytesPerSecond: 2_000_000 }));
  expect(await screen.findByText("stills/quay 2.png")).toBeTruthy();
  expect(screen.getByText("1 of 3 files")).toBeTruthy();
  expect(await screen.findByText("0.50 of 1.00 MB, 2.00 MB/s")).toBeTruthy();
  expect(screen.getByRole("progressbar").getAttribute("aria-valuetext")).toBe("50%, 0.50 of 1.00 MB");
});

test("opens folders and previews pictures by keyboard", async () => {
  const user = userEvent.setup();
  const { onPreviewEntry } = show(treeMessage({ state: "complete" }));
  await user.click(await screen.findByRole("button", { name: "Show files: Location scouting" }));
  const tree = await screen.findByRole("tree");
  tree.focus();
  await user.keyboard("{ArrowRight}");
  expect(rowNames()[1]).toBe("quay 1.png400 kB");
  await user.keyboard("{ArrowDown}{ArrowDown}");
  const active = document.getElementById(tree.getAttribute("aria-activedescendant") ?? "");
  expect(active?.textContent).toContain("quay 2.png");
  expect(active?.getAttribute("aria-level")).toBe("2");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(onPreviewEntry).toHaveBeenCalledTimes(1));
  expect(onPreviewEntry.mock.calls[0]?.[0]).toMatchObject({ path: "stills/quay 2.png", size: 600_000 });
});

test("saves into the folder that the user picks", async () => {
  const user = userEvent.setup();
  const { target } = show(treeMessage({ state: "complete" }));
  await user.click(screen.getByRole("button", { name: "Save: Location scouting" }));
  await user.click(await screen.findByRole("menuitem", { name: "Save to a folder" }));
  expect(await screen.findByText("Location scouting is saved")).toBeTruthy();
  expect([...target.files.keys()].sort()).toEqual([
    "Location scouting/notes.txt",
    "Location scouting/stills/quay 1.png",
    "Location scouting/stills/quay 2.png",
  ]);
  expect(target.folders).toContain("Location scouting/void");
});

test.each([
  ["changed", "source-changed", "changed, or cannot be read"],
  ["disappeared", "source-missing", "no longer on your disk"],
] as const)("names my file that %s and stopped the transfer", async (_what, code, words) => {
  const error = { code, values: {} };
  const message = treeMessage({ state: "failed", error });
  const failed = { ...message, offers: { [mara]: { state: "failed", error } as const } };
  const { stream } = show(failed, { isMine: true, isChanged: true });
  const [changed] = entries;
  const slice = Blob.prototype.slice;
  vi.spyOn(Blob.prototype, "slice").mockImplementation(function (this: Blob, start, end, type) {
    const piece = slice.call(this, start, end, type);
    const isChanged = this !== stream && this.size === changed?.size;
    return isChanged
      ? Object.assign(piece, { arrayBuffer: () => Promise.reject(new Error("changed")) })
      : piece;
  });
  expect(await screen.findByText("stills/quay 1.png")).toBeTruthy();
  expect(screen.getByText(words)).toBeTruthy();
});

test("says that the sender has to send it again if its files are gone: nobody can pick a folder instead", () => {
  show(treeMessage({ state: "needsSource" }));
  expect(screen.getByText("Mara can no longer read the files and has to send them again")).toBeTruthy();
});

test("names loose files after the first of them", () => {
  const { file: description } = treeMessage({ state: "offered" });
  const tree = description.tree && { ...description.tree, kind: "files" as const, folders: 0 };
  show(treeMessage({ state: "offered" }, { file: { ...description, fileName: "a.txt", tree } }));
  expect(screen.getByText("a.txt and 2 more")).toBeTruthy();
  expect(screen.getByText("1 MB")).toBeTruthy();
});

test("counts loose files as pictures if all of them are", () => {
  const { file: description } = treeMessage({ state: "offered" });
  const tree = description.tree && {
    ...description.tree,
    ...{ kind: "files" as const, folders: 0, pictures: true as const },
  };
  show(treeMessage({ state: "offered" }, { file: { ...description, tree } }));
  expect(screen.getByText("3 pictures")).toBeTruthy();
});

test("truncates a long name in the middle, and keeps its extension visible", async () => {
  // happy-dom has no layout: every character gets the same width, with room for 20.
  vi.spyOn(Range.prototype, "getBoundingClientRect").mockImplementation(function (this: Range) {
    return new DOMRect(0, 0, this.endOffset - this.startOffset, 1);
  });
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 20, 1));
  const long = "interview_A-cam_0412_graded.mov";
  renderWithWarren(
    <TreeView
      entries={[{ ...file(long, 12), start: 0 }]}
      label="Files"
      canPreview={() => false}
      onPreview={() => {}}
      onSave={null}
    />,
    fakeWarren(),
  );
  const name = await screen.findByTitle(long);
  expect(within(name).getByText("interview_A…aded.mov")).toBeTruthy();
});
