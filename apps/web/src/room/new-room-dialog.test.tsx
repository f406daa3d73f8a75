import { act, cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FakeWarren, fakeWarren } from "../testing/fake-warren.ts";
import { fakeDevice, renderWithWarren } from "../testing/render-with-warren.tsx";
import { dialogStore } from "../ui/open-dialog.tsx";
import { useNewRoom } from "./use-new-room.ts";

let fake: FakeWarren;
const device = fakeDevice();

beforeEach(() => {
  fake = fakeWarren();
  fake.setRoom({ status: "disconnected", error: null });
  device.written.length = 0;
});
afterEach(() => {
  act(() => dialogStore.getState()?.dialog.cancel());
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
  const { user } = renderWithWarren(<Choose />, fake, { device });
  await user.click(screen.getByRole("button", { name: "New" }));
  const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "Its name" });
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
  await waitFor(() => expect(device.written[0]).toContain(`/r/${name}#`));
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
  expect(await screen.findByText("Enter a room ID.")).toBeTruthy();
  expect(fake.argsOf("join")).toEqual([]);
});
