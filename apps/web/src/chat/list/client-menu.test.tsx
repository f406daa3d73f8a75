import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { usePerson } from "../../people/use-person.ts";
import { clientIdOf, fakeContact, fakePeer, roomWith } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { toast } from "../../wiring/toast.tsx";
import { ClientMenu } from "./client-menu.tsx";

const mara = clientIdOf(1);

afterEach(() => {
  toast.dismiss();
  cleanup();
});

function MenuOfMara() {
  return <ClientMenu person={usePerson(mara)} location="conversation" />;
}

test("blocks a peer, and Undo reverses it", async () => {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  const { user } = renderWithWarren(<MenuOfMara />, fake);
  await user.click(await screen.findByRole("button", { name: "More" }));
  await user.click(await screen.findByRole("menuitem", { name: "Block Mara Lindqvist" }));
  expect(fake.argsOf("block")).toEqual([[mara]]);
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  expect(fake.argsOf("undoBlock")).toHaveLength(1);
});

test("unblocks a blocked peer", async () => {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara Lindqvist", { trustLevel: "blocked" }) } });
  const { user } = renderWithWarren(<MenuOfMara />, fake);
  await user.click(await screen.findByRole("button", { name: "More" }));
  expect(screen.queryByRole("menuitem", { name: "Block Mara Lindqvist" })).toBeNull();
  await user.click(await screen.findByRole("menuitem", { name: "Unblock Mara Lindqvist" }));
  expect(fake.argsOf("unblock")).toEqual([[mara]]);
});
