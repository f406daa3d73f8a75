import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { cancelDialog } from "../../testing/cancel-dialog.ts";
import { clientIdOf, fakeFile, fakePeer, fakeTransfer, roomWith } from "../../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../../testing/render-with-warren.tsx";
import { useNewRoom } from "./use-new-room.ts";

let fake: FakeWarren;
const platform = fakePlatform();

beforeEach(() => {
  fake = fakeWarren();
  fake.setRoom({ status: "disconnected", error: null });
  platform.written.length = 0;
});
afterEach(() => {
  cancelDialog();
  cleanup();
});

function Choose() {
  const { choose } = useNewRoom();
  return (
    <button type="button" onClick={() => void choose()}>
      New
    </button>
  );
}

async function open() {
  const { user } = renderWithWarren(<Choose />, fake, { platform });
  await user.click(screen.getByRole("button", { name: "New" }));
  const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "Room name" });
  return { user, field };
}
const created = async () => {
  await waitFor(() => expect(fake.argsOf("join")).toHaveLength(1));
  return fake.argsOf("updateProfile").flat()[0];
};

it("makes a room of three words whose link holds a strong password", async () => {
  const { user, field } = await open();
  const name = field.value;
  expect(name).toMatch(/^[a-z]+-[a-z]+-[a-z]+$/);
  expect(screen.getByRole<HTMLInputElement>("radio", { name: /Only people with its link/ }).checked).toBe(
    true,
  );
  await user.click(screen.getByRole("button", { name: "Create and copy link" }));
  expect(await created()).toEqual({ roomId: name, password: expect.stringMatching(/^.{12}$/) });
  await waitFor(() => expect(platform.written[0]).toContain(`/r/${name}#`));
});

it("makes one that anyone who knows the name can join", async () => {
  const { user, field } = await open();
  await user.clear(field);
  await user.type(field, " team room ");
  await user.click(screen.getByRole("radio", { name: /Anyone who knows the name can join/ }));
  await user.click(screen.getByRole("button", { name: "Create and copy link" }));
  expect(await created()).toEqual({ roomId: "team room", password: null });
});

it("offers another name, and takes none that is empty", async () => {
  const { user, field } = await open();
  const before = field.value;
  await user.click(screen.getByRole("button", { name: "Another name" }));
  expect(field.value).not.toBe(before);
  await user.clear(field);
  await user.click(screen.getByRole("button", { name: "Create and copy link" }));
  expect(await screen.findByText("Enter the name of the room.")).toBeTruthy();
  expect(fake.argsOf("join")).toEqual([]);
});

it("takes no name of a room that is kept, whose password would be lost", async () => {
  fake.setRooms([{ id: "harbour", tag: "x".repeat(43), password: "tidal", firstVisit: 0, lastVisit: 0 }]);
  const { user, field } = await open();
  await user.clear(field);
  await user.type(field, "harbour ");
  await user.click(screen.getByRole("button", { name: "Create and copy link" }));
  expect(screen.getByText(/You already have a room of that name/)).toBeTruthy();
  expect(fake.argsOf("updateProfile")).toEqual([]);
  expect(fake.argsOf("join")).toEqual([]);
});

it("asks before it leaves a room where transfers would stop", async () => {
  const mara = clientIdOf(1);
  fake.setRoom(roomWith([fakePeer(1, "Mara")]));
  const transfer = fakeTransfer(fakeFile(mara, mara, {}, { state: "running" }, 1), mara);
  fake.setTransfer({ ...transfer, now: { state: "running" } });
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "Create and copy link" }));
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  expect(fake.argsOf("leave")).toEqual([]);
  expect(fake.argsOf("updateProfile")).toEqual([]);
  expect(fake.argsOf("updateRoom")).toEqual([]);

  await user.click(screen.getByRole("button", { name: "New" }));
  await user.click(await screen.findByRole("button", { name: "Create and copy link" }));
  await user.click(await screen.findByRole("button", { name: "Leave" }));
  await created();
  expect(fake.argsOf("leave")).toHaveLength(1);
  await waitFor(() => expect(platform.written[0]).toContain("/r/"));
});
