import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { everyone, type VisitedRoom } from "@warren/core";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Route, Switch } from "wouter";
import { useTab } from "../../tab/tab-context.ts";
import { cancelDialog } from "../../testing/cancel-dialog.ts";
import { clientIdOf, fakeContact, fakePeer, fakeText, roomWith } from "../../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { paths } from "../../wiring/paths.ts";
import { useStore } from "../../wiring/warren-context.ts";
import { Palette } from "./palette.tsx";

const [mara, jun] = [clientIdOf(1), clientIdOf(2)];
const kept = (id: string, lastVisit: number, change: Partial<VisitedRoom> = {}): VisitedRoom => ({
  ...{ id, password: null, lastVisit, firstVisit: 0, tag: `${id}-`.padEnd(43, "x") },
  ...change,
});

let fake: FakeWarren;

beforeEach(() => {
  fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  fake.setRooms([kept("harbour", 3), kept("burrow", 2, { password: "tidal" }), kept("attic", 1)]);
  fake.setChat({
    room: kept("harbour", 3).tag,
    contacts: { [mara]: fakeContact(1, "Mara Lindqvist"), [jun]: fakeContact(2, "Jun Tanaka") },
    conversations: {
      [jun]: { messages: [fakeText(jun, jun, "The tide is low", 1)], unread: 0 },
    },
  });
});

afterEach(() => {
  cancelDialog();
  cleanup();
});

/** Shows which conversation is open, and which of its messages is jumped to. */
function Conversation({ id }: { readonly id: string }) {
  const shown = useStore(useTab().openLog.scrollTarget);
  return <p data-testid="conversation">{[id, shown].join(" ").trim()}</p>;
}

async function open() {
  const view = renderWithWarren(
    <Palette>
      <input aria-label="Message" />
      <Switch>
        <Route path={paths.chat.path}>{({ id }) => <Conversation id={id} />}</Route>
      </Switch>
    </Palette>,
    fake,
  );
  await view.user.click(screen.getByRole("textbox", { name: "Message" }));
  await view.user.keyboard("{Control>}k{/Control}");
  const field = await screen.findByRole("combobox");
  return { ...view, field };
}

const names = () =>
  screen.getAllByRole("option").map((option) => option.querySelector(".text-body")?.textContent);
const current = () => {
  const [selected, ...others] = screen.getAllByRole("option", { selected: true });
  expect(others).toEqual([]);
  expect(screen.getByRole("combobox").getAttribute("aria-activedescendant")).toBe(selected?.id);
  return selected?.querySelector(".text-body")?.textContent;
};

it("offers the other rooms, people and commands, in groups", async () => {
  await open();
  const group = (name: string) =>
    within(screen.getByRole("group", { name }))
      .getAllByRole("option")
      .map((option) => option.querySelector(".text-body")?.textContent);
  expect(group("Rooms")).toEqual(["burrow", "attic"]);
  expect(group("People")).toEqual(["Everyone", "Mara Lindqvist", "Jun Tanaka"]);
  expect(group("Commands")).toContain("New room");
  expect(group("Commands")).toContain("Settings");
});

it("moves through its list by the arrow keys, and says which entry Enter takes", async () => {
  const { user, field } = await open();
  expect(document.activeElement).toBe(field);
  expect(current()).toBe("burrow");
  await user.keyboard("{ArrowDown}");
  expect(current()).toBe("attic");
  await user.keyboard("{ArrowUp}{ArrowUp}");
  expect(current()).toBe(names().at(-1));
  expect(document.activeElement).toBe(field);
});

it("goes to a room by a few characters and Enter", async () => {
  const { user } = await open();
  await user.keyboard("burr{Enter}");
  await waitFor(() =>
    expect(fake.argsOf("updateProfile")).toContainEqual([{ roomId: "burrow", password: "tidal" }]),
  );
});

it("goes to a person, and says how many entries there are", async () => {
  const { user } = await open();
  await user.keyboard("tana");
  expect(names()).toEqual(["Jun Tanaka"]);
  expect(screen.getByText("1 result")).toBeTruthy();
  await user.keyboard("{Enter}");
  expect((await screen.findByTestId("conversation")).textContent).toBe(jun);
});

it("finds a message and opens its conversation there", async () => {
  const { user } = await open();
  await user.keyboard("tide");
  const found = await screen.findByRole("option", { name: /The tide is low/ });
  expect(found.querySelector("mark")?.textContent).toBe("tide");
  expect(names()[0]).toMatch(/^Jun Tanaka, (?!Jun)/);
  await user.keyboard("{Enter}");
  const [message] = fake.warren.chat.store.getState().conversations[jun]?.messages ?? [];
  await waitFor(() => expect(screen.getByTestId("conversation").textContent).toBe(`${jun} ${message?.key}`));
});

it("goes to the room of a message first", async () => {
  const burrow = kept("burrow", 2);
  const text = fakeText(mara, burrow.tag, "Meet at the burrow", 1);
  fake.setChat({ conversations: { [burrow.tag]: { messages: [text], unread: 0 } } });
  const { user } = await open();
  await user.keyboard("meet at");
  await user.click(await screen.findByRole("option", { name: /Meet at the burrow/ }));
  await waitFor(() =>
    expect(fake.argsOf("updateProfile")).toContainEqual([{ roomId: "burrow", password: "tidal" }]),
  );
  expect(await screen.findByTestId("conversation")).toBeTruthy();
  expect(screen.getByTestId("conversation").textContent).toContain(everyone);
});

it("offers what to do instead where nothing is found", async () => {
  const { user } = await open();
  await user.keyboard("zzqx");
  await screen.findByRole("group", { name: "Instead" });
  expect(names()).toEqual(["New room", "Join by link or code", "All rooms"]);
  expect(screen.getAllByText("No results found").length).toBeGreaterThan(0);
  await user.keyboard("{ArrowDown}{Enter}");
  expect(await screen.findByRole("dialog", { name: "Join another room" })).toBeTruthy();
});

it("begins with what was chosen last, once", async () => {
  const { user } = await open();
  await user.keyboard("tana{Enter}");
  await screen.findByTestId("conversation");
  await user.keyboard("{Control>}k{/Control}");
  await screen.findByRole("combobox");
  const recent = within(screen.getByRole("group", { name: "Recent" }));
  expect(recent.getAllByRole("option")).toHaveLength(1);
  expect(current()).toBe("Jun Tanaka");
  expect(names().filter((name) => name === "Jun Tanaka")).toHaveLength(1);
});

it("shows the shortcut of a command as the list of shortcuts has it", async () => {
  await open();
  const help = screen.getByRole("option", { name: /Keyboard shortcuts/ });
  expect(help.querySelector("kbd")?.textContent).toBe("?");
});

it("closes by Escape or its own shortcut, and gives the focus back", async () => {
  const { user } = await open();
  await user.keyboard("tid");
  await user.keyboard("{Control>}k{/Control}");
  await waitFor(() => expect(screen.queryByRole("combobox")).toBeNull());
  await user.keyboard("{Control>}k{/Control}");
  await screen.findByRole("combobox");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("combobox")).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Message" })));
});

it("leaves another dialog alone", async () => {
  const { user } = await open();
  await user.keyboard("all rooms{Enter}");
  expect(await screen.findByRole("dialog", { name: "Your rooms" })).toBeTruthy();
  await user.keyboard("{Control>}k{/Control}");
  expect(screen.queryByRole("combobox")).toBeNull();
});
