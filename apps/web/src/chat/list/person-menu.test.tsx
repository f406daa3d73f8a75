import { cleanup, screen } from "@testing-library/react";
import type { ComponentProps } from "react";
import { afterEach, expect, test } from "vitest";
import { useLocation } from "wouter";
import { usePerson } from "../../people/use-person.ts";
import { clientIdOf, fakeContact, fakePeer, roomWith } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { toast } from "../../wiring/toast.ts";
import { PersonMenu } from "./person-menu.tsx";

const mara = clientIdOf(1);

afterEach(() => {
  toast.dismiss();
  cleanup();
});

function MenuIn({ location }: Pick<ComponentProps<typeof PersonMenu>, "location">) {
  return <PersonMenu person={usePerson(mara)} location={location} />;
}

function Path() {
  return <li>at {useLocation()[0]}</li>;
}

function MenuOfMara() {
  return <MenuIn location="conversation" />;
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

test("leads from somebody who cannot be met to the connection check, where no banner does", async () => {
  const fake = fakeWarren();
  const error = { code: "connect-timeout", values: {} } as const;
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist", { session: "disconnected", ready: false, error })]));
  const { user } = renderWithWarren(
    <ul>
      <MenuIn location="list" />
      <MenuIn location="conversation" />
      <Path />
    </ul>,
    fake,
  );
  const [inList, inConversation] = await screen.findAllByRole("button", { name: "More" });
  if (!inList || !inConversation) throw new Error("there are no menus");
  await user.click(inConversation);
  await screen.findByRole("menuitem", { name: "Connect" });
  expect(screen.queryByRole("menuitem", { name: "Find out why" })).toBeNull();
  await user.keyboard("{Escape}");
  await user.click(inList);
  await user.click(await screen.findByRole("menuitem", { name: "Find out why" }));
  await screen.findByText("at /doctor");
});
