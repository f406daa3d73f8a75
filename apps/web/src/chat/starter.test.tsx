import { act, cleanup, screen } from "@testing-library/react";
import { starterId } from "@warren/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fakeContact, fakeText } from "../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../testing/fake-warren.ts";
import { renderWithWarren } from "../testing/render-with-warren.tsx";
import { paths } from "../wiring/paths.ts";
import ConversationPane from "./conversation-pane.tsx";
import { PeopleListPane } from "./list/people-list-pane.tsx";

let fake: FakeWarren;

beforeEach(() => {
  fake = fakeWarren();
  const starter = { ...fakeContact(9, "Warren"), clientId: starterId };
  fake.setChat({ contacts: { [starterId]: starter } });
  fake.setChat({ open: starterId });
  fake.addMessage(fakeText(starterId, starterId, "Welcome.", Date.now()));
});

afterEach(cleanup);

describe("the welcome", () => {
  test("is listed below everyone, not counted, and neither online nor offline", () => {
    renderWithWarren(<PeopleListPane />, fake);
    const rows = screen.getAllByRole("link");
    expect(rows.at(-1)?.textContent).toContain("Warren");
    expect(rows.at(-1)?.textContent).not.toContain("offline");
    expect(screen.getByText("Only you")).toBeTruthy();
    expect(screen.getByRole("list", { name: "Getting started" }).textContent).toContain("Welcome.");
  });

  test("leaves the list once somebody was met, unless it is open", () => {
    const mara = fakeContact(1, "Mara Lindqvist");
    const welcome = () => screen.queryByRole("list", { name: "Getting started" });
    const { unmount } = renderWithWarren(<PeopleListPane />, fake);
    expect(welcome()).not.toBeNull();
    act(() =>
      fake.setChat({ contacts: { ...fake.warren.chat.store.getState().contacts, [mara.clientId]: mara } }),
    );
    expect(welcome()).toBeNull();
    unmount();
    renderWithWarren(<PeopleListPane />, fake, { path: paths.chat.href(starterId) });
    expect(welcome()).not.toBeNull();
  });

  test("is found by its name and hidden by another search", async () => {
    const { user } = renderWithWarren(<PeopleListPane />, fake);
    await user.type(screen.getByRole("searchbox"), "warr");
    expect(screen.getAllByRole("link")).toHaveLength(1);
    await user.type(screen.getByRole("searchbox"), "x");
    expect(screen.queryAllByRole("link")).toHaveLength(0);
  });

  test("says why writing is impossible, and can be deleted", async () => {
    const { user } = renderWithWarren(<ConversationPane conversationId={starterId} />, fake);
    expect(screen.getByText("Getting started")).toBeTruthy();
    expect(screen.getByText(/Nobody reads replies/)).toBeTruthy();
    expect(screen.queryByRole("textbox", { name: "Message" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "More" }));
    expect(screen.getAllByRole("menuitem").map((item) => item.textContent)).toEqual(["Delete conversation"]);
    await user.click(screen.getByRole("menuitem", { name: "Delete conversation" }));
    await user.click(await screen.findByRole("button", { name: "Delete" }));
    expect(fake.argsOf("deleteContact")).toEqual([[starterId]]);
  });
});
