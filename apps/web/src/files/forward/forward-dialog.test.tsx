import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { everyone } from "@warren/core";
import { WarrenError } from "@warren/protocol";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { ForwardItem } from "../../tab/forward-item.ts";
import { cancelDialog } from "../../testing/cancel-dialog.ts";
import { clientIdOf, fakeContact, fakePeer, fakeStoredFile, roomWith } from "../../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { toast } from "../../wiring/toast.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import { forward } from "./forward.ts";

const [mara, noor] = [clientIdOf(1), clientIdOf(2)];
const file = new File(["x"], "beach.png");
const items: readonly ForwardItem[] = [
  { type: "text", text: "Look at this" },
  { type: "file", file },
  { type: "cache", fid: "file-kept", fileName: "sheet.pdf" },
];

afterEach(() => {
  cancelDialog();
  toast.dismiss();
  cleanup();
});

function Forwarding({ what }: { readonly what: readonly ForwardItem[] }) {
  const warren = useWarren();
  return (
    <button type="button" onClick={() => void forward(warren, what)}>
      Begin
    </button>
  );
}

function withThree(): FakeWarren {
  const fake = fakeWarren();
  fake.setRoom(
    roomWith([
      fakePeer(1, "Mara Lindqvist"),
      fakePeer(2, "Noor Haddad"),
      fakePeer(3, "Jun Tanaka", { session: "reconnecting", ready: false }),
      fakePeer(4, "Elise Moreau", { session: "closed", ready: false }),
    ]),
  );
  const names = { 1: "Mara Lindqvist", 2: "Noor Haddad", 3: "Jun Tanaka" };
  fake.setChat({
    contacts: Object.fromEntries(
      Object.entries(names).map(([number, name]) => [
        clientIdOf(Number(number)),
        fakeContact(Number(number), name),
      ]),
    ),
  });
  return fake;
}

async function open(fake: FakeWarren, what = items) {
  const { user } = renderWithWarren(<Forwarding what={what} />, fake);
  await user.click(screen.getByRole("button", { name: "Begin" }));
  const dialog = await screen.findByRole("dialog");
  return { user, dialog: within(dialog) };
}

const shown = (dialog: Awaited<ReturnType<typeof open>>["dialog"]) =>
  dialog
    .getAllByRole("checkbox")
    .map((box) => box.closest("label")?.querySelector(".font-medium")?.textContent);

describe("forwarding", () => {
  test("leaves out whoever wrote all of it", async () => {
    const text = { type: "text", text: "Look at this" } as const;
    const { dialog } = await open(withThree(), [{ ...text, author: mara }]);
    expect(shown(dialog)).toEqual(["Everyone", "Jun Tanaka", "Noor Haddad"]);
    cancelDialog();
    cleanup();
    const both = await open(withThree(), [
      { ...text, author: mara },
      { ...text, author: noor },
    ]);
    expect(shown(both.dialog)).toContain("Mara Lindqvist");
  });

  test("forgets whom it was for in a room that was left meanwhile", async () => {
    const fake = withThree();
    const { user, dialog } = await open(fake);
    const everyoneHere = () => dialog.getByRole<HTMLInputElement>("checkbox", { name: /Everyone/ });
    await user.click(everyoneHere());
    expect(everyoneHere().checked).toBe(true);
    act(() => fake.setChat({ room: "attic" }));
    expect(everyoneHere().checked).toBe(false);
  });

  test("sends what is for everyone to no other room than the one of the press", async () => {
    const fake = withThree();
    fake.setOptions({ maxFileSize: 0 });
    const { user, dialog } = await open(fake, [{ type: "file", file }]);
    await user.click(dialog.getByRole("checkbox", { name: /Everyone/ }));
    await user.click(dialog.getByRole("button", { name: "Forward" }));
    const question = within(await screen.findByRole("dialog", { name: /over your limit/ }));
    act(() => fake.setChat({ room: "attic" }));
    await user.click(question.getByRole("button", { name: "Send anyway" }));
    expect(await screen.findByText(/file to Everyone/)).toBeTruthy();
    expect(fake.argsOf("sendFile")).toEqual([]);
  });

  test("shows how many files and folders a folder contains", async () => {
    const fake = withThree();
    const folder = fakeStoredFile({
      fid: "file-folder",
      fileName: "Rushes",
      fileSize: 1.08 * 1_000_000 + 500,
      tree: { kind: "folder", files: 30, folders: 2, manifestSize: 500, manifestDigest: "" },
    });
    fake.setLibrary(new Map([[folder.description.fid, folder]]));
    const { dialog } = await open(fake, [{ type: "cache", fid: "file-folder", fileName: "Rushes" }]);
    expect(dialog.getByText("30 files in 2 folders, 1.08 MB")).toBeTruthy();
  });

  test("lists the present peers after everyone, and forwards only once someone is chosen", async () => {
    const fake = withThree();
    const { user, dialog } = await open(fake);
    expect(dialog.getByRole("heading", { name: "Forward 3 items" })).toBeTruthy();
    expect(shown(dialog)).toEqual(["Everyone", "Jun Tanaka", "Mara Lindqvist", "Noor Haddad"]);
    expect(dialog.getByText("Reconnecting. Delivered when they are back.")).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Forward" }));
    expect(screen.getByRole("dialog")).toBeTruthy();
    expect(dialog.getByRole("button", { name: "Forward" }).getAttribute("aria-disabled")).toBe("true");
    expect(fake.calls.filter(({ verb }) => /send|forward/.test(verb))).toEqual([]);
  });

  test("sends every item to each chosen peer, and reports it", async () => {
    const fake = withThree();
    const { user, dialog } = await open(fake);
    await user.click(dialog.getByRole("checkbox", { name: /Mara/ }));
    await user.click(dialog.getByRole("checkbox", { name: /Noor/ }));
    expect(dialog.getByText("2 people chosen")).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Forward" }));
    await screen.findByText("Sent to Mara and Noor");
    const sent = [[mara], [noor]].map(([id]) => id);
    expect(fake.argsOf("sendText")).toEqual(sent.map((id) => [id, "Look at this"]));
    expect(fake.argsOf("sendFile")).toEqual(sent.map((id) => [id, file]));
    expect(fake.argsOf("forwardFile")).toEqual(sent.map((id) => [id, "file-kept"]));
  });

  test("sends once to everyone, whoever else is chosen", async () => {
    const fake = withThree();
    const { user, dialog } = await open(fake, items.slice(0, 1));
    await user.click(dialog.getByRole("checkbox", { name: /Mara/ }));
    await user.click(dialog.getByRole("checkbox", { name: /Everyone/ }));
    await user.click(dialog.getByRole("button", { name: "Forward" }));
    await waitFor(() => expect(fake.argsOf("sendText")).toEqual([[everyone, "Look at this"]]));
  });

  test("finds people by characters of their names, and reports when nobody matches", async () => {
    const { user, dialog } = await open(withThree());
    const search = dialog.getByPlaceholderText("Search for clients to forward...");
    await user.type(search, "nh");
    expect(shown(dialog)).toEqual(["Noor Haddad"]);
    await user.keyboard("{Enter}");
    expect(dialog.getByText("1 person chosen")).toBeTruthy();
    await user.type(search, "x");
    expect(dialog.getByText("No results found")).toBeTruthy();
  });

  test("reports each failure with its reason, and no success", async () => {
    const fake = withThree();
    fake.fail("forwardFile", new WarrenError("cache-data-incomplete"));
    const { user, dialog } = await open(fake, items.slice(2));
    await user.click(dialog.getByRole("checkbox", { name: /Mara/ }));
    await user.click(dialog.getByRole("button", { name: "Forward" }));
    await screen.findByText(/^Failed to share file to Mara: This file is not complete here/);
    expect(screen.queryByText(/^Sent to/)).toBeNull();
  });

  test("skips peers that left before sending started, and reports it", async () => {
    const fake = withThree();
    const { user, dialog } = await open(fake);
    await user.click(dialog.getByRole("checkbox", { name: /Jun/ }));
    await user.click(dialog.getByRole("checkbox", { name: /Noor/ }));
    act(() => fake.setRoom(roomWith([fakePeer(2, "Noor Haddad")])));
    await user.click(dialog.getByRole("button", { name: "Forward" }));
    await screen.findByText("Sent to Noor");
    await screen.findByText("Failed to share text and file to Jun: they left the room first");
    expect(fake.argsOf("sendText")).toEqual([[noor, "Look at this"]]);
  });

  test("reports what was not sent to a peer that left meanwhile", async () => {
    const fake = withThree();
    const { user, dialog } = await open(fake);
    vi.spyOn(fake.warren.chat, "sendText").mockImplementation(async () => fake.setRoom(roomWith([])));
    await user.click(dialog.getByRole("checkbox", { name: /Jun/ }));
    await user.click(dialog.getByRole("button", { name: "Forward" }));
    await screen.findByText("Failed to share file to Jun: they left the room first");
    expect(screen.queryByText(/^Sent to/)).toBeNull();
    expect(fake.argsOf("sendFile")).toEqual([]);
  });

  test("suggests the next step while nobody is here", async () => {
    const fake = fakeWarren();
    const { dialog } = await open(fake);
    expect(dialog.getByRole("button", { name: "Share this room" })).toBeTruthy();
    act(() => fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")])));
    expect(shown(dialog)).toEqual(["Mara Lindqvist"]);
  });
});
