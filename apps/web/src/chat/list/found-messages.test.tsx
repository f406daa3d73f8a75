import { cleanup, screen, within } from "@testing-library/react";
import { everyone, type VisitedRoom } from "@warren/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { clientIdOf, fakeContact, fakeText, me } from "../../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { PeopleListPane } from "./people-list-pane.tsx";

const mara = clientIdOf(1);
const attic: VisitedRoom = {
  ...{ id: "attic", password: null, firstVisit: 0, lastVisit: 0 },
  tag: "attic-".padEnd(43, "x"),
};
let fake: FakeWarren;

beforeEach(() => {
  fake = fakeWarren();
  fake.setRooms([attic]);
  fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara Lindqvist") } });
});

afterEach(cleanup);

const search = () => screen.getByRole("searchbox", { name: "Search people and messages" });

test("messages are found in all conversations, by conversation, with the words marked and a way to each", async () => {
  const said = fakeText(mara, mara, "We met by the harbour, and I said that the harbour was closed", 1);
  fake.addMessage(said);
  fake.addMessage(fakeText(me, everyone, "Harbour at nine", 2));
  fake.addMessage(fakeText(mara, attic.tag, "The harbour from above", 3));
  fake.addMessage(fakeText(mara, everyone, "Something else", 4));
  const { user } = renderWithWarren(<PeopleListPane />, fake);
  await user.type(search(), "HARBOUR");
  const ofMara = await screen.findByRole("region", { name: "Mara Lindqvist 1 message" });
  const found = within(ofMara).getByRole("button", { name: /met by the harbour/ });
  expect(found.querySelector("mark")?.textContent).toBe("harbour");
  const inRoom = screen.getByRole("region", { name: "harbour 1 message" });
  expect(within(inRoom).getByRole("button", { name: /^You.*Harbour at nine/ })).toBeTruthy();
  const inAttic = screen.getByRole("region", { name: "attic 1 message" });
  expect(within(inAttic).getByRole("button", { name: /harbour from above/ })).toBeTruthy();
  expect(screen.queryByText("Something else", { selector: "mark, button *" })).toBeNull();
  await user.click(found);
  expect(fake.tab.openLog.scrollTarget.getState()).toBe(said.key);
});

test("nothing leads to a room that is not kept", async () => {
  fake.setRooms([]);
  fake.addMessage(fakeText(mara, attic.tag, "By the harbour", 1));
  const { user } = renderWithWarren(<PeopleListPane />, fake);
  await user.type(search(), "harbour");
  expect(screen.queryByRole("button", { name: /By the harbour/ })).toBeNull();
});

test("searching begins to read when the field gets the focus", async () => {
  const { user } = renderWithWarren(<PeopleListPane />, fake);
  expect(fake.argsOf("prepareSearch")).toEqual([]);
  await user.click(search());
  expect(fake.argsOf("prepareSearch")).toEqual([[]]);
});
