import { act, cleanup, screen, waitFor } from "@testing-library/react";
import type { Peer } from "@warren/core";
import type { PeerMessageOf } from "@warren/protocol";
import { type ReactNode, useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { Palette } from "../app/palette/palette.tsx";
import CallPage from "../call/call-page.tsx";
import { Rings } from "../call/rings.tsx";
import ConversationPane from "../chat/conversation-pane.tsx";
import { PeopleListPane } from "../chat/list/people-list-pane.tsx";
import ComparisonPage from "../compare/comparison-page.tsx";
import { forward } from "../files/forward/forward.ts";
import { sendItem } from "../files/forward/send-item.ts";
import { NearbySection } from "../nearby/nearby-section.tsx";
import SharePage from "../share/share-page.tsx";
import { cancelDialog } from "../testing/cancel-dialog.ts";
import { fakeMedia } from "../testing/fake-media.ts";
import { fakeContact, fakePeer, me, roomWith } from "../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../testing/render-with-warren.tsx";
import { openDialog } from "../wiring/dialogs/open-dialog.ts";
import type { LocalMedia } from "../wiring/platform-context.ts";
import { toast } from "../wiring/toast.ts";
import { useWarren } from "../wiring/warren-context.ts";
import PersonInfoDialog from "./person-info/person-info-dialog.tsx";
import { BriefRouteLine, RouteLine } from "./route-line.tsx";
import { usePerson } from "./use-person.ts";

const mara = fakePeer(1, "Mara").clientId;
const direct = { kind: "direct-local", relayHost: null } as const;

function Line() {
  return <RouteLine person={usePerson(mara)} />;
}

function show(change: Partial<Peer>, line = <Line />) {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara", change)]));
  renderWithWarren(line, fake);
  return { fake, text: () => document.querySelector("span.text-meta")?.textContent };
}

afterEach(() => {
  vi.useRealTimers();
  cancelDialog();
  toast.dismiss();
  cleanup();
});

test.each([
  [direct, "Online, directly on your network"],
  [{ kind: "direct-internet", relayHost: null }, "Online, directly over the internet"],
  [{ kind: "relayed", relayHost: "turn.example.org" }, "Online, over a relay"],
  [null, "Online"],
] as const)("a peer by %j: %s", (route, line) => {
  expect(show({ route }).text()).toBe(line);
});

test.each([
  [direct, null],
  [{ kind: "relayed", relayHost: "turn.example.org" }, "Over a relay"],
] as const)("beside other words, a peer by %j: %s", (route, line) => {
  const Brief = () => <BriefRouteLine person={usePerson(mara)} />;
  show({ route }, <Brief />);
  const seen = document.querySelector("span:not(.sr-only)");
  expect(seen?.querySelector("[aria-hidden=true]")?.textContent ?? null).toBe(line);
  expect(screen.getByText(/^Online, /).className).toContain("sr-only");
});

test.each<[Partial<Peer>, string]>([
  [{ session: "connecting", ready: false }, "Connecting"],
  [{ session: "reconnecting", ready: false, attempt: 2 }, "Reconnecting, attempt 2"],
  [{ session: "disconnected", ready: false }, "Not here"],
  [
    { session: "disconnected", ready: false, error: { code: "connection-failed", values: {} } },
    "Not connected",
  ],
])("a peer with %j: %s", (change, line) => {
  expect(show(change).text()).toBe(line);
});

test("somebody who is not in the room is away", () => {
  const { fake, text } = show({});
  act(() => fake.setRoom(roomWith([])));
  expect(text()).toBe("Not here");
});

test("a page that closes is not said to be reconnecting before it has gone", () => {
  vi.useFakeTimers();
  const { fake, text } = show({ route: direct });
  const lost = { session: "reconnecting", ready: false, attempt: 1 } as const;
  act(() => fake.setRoom(roomWith([fakePeer(1, "Mara", lost)])));
  act(() => void vi.advanceTimersByTime(499));
  expect(text()).toBe("Online");
  act(() => void vi.advanceTimersByTime(1));
  expect(text()).toBe("Reconnecting, attempt 1");
  act(() => fake.setRoom(roomWith([])));
  expect(text()).toBe("Not here");
});

/** Opens a dialog by a press. */
function Opener({ open }: { readonly open: () => Promise<unknown> }) {
  const [isOpen, setOpen] = useState(false);
  const press = (): void => {
    setOpen(true);
    void open();
  };
  return isOpen ? null : (
    <button onClick={press} type="button">
      Open
    </button>
  );
}

function Forward() {
  const warren = useWarren();
  return <Opener open={() => forward(warren, [{ type: "text", text: "Tide" }])} />;
}

function Send() {
  const warren = useWarren();
  return <Opener open={() => sendItem(warren, mara)} />;
}

function fakeWith(change: Partial<Peer>): FakeWarren {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist", change)]));
  fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara Lindqvist") } });
  return fake;
}

function nearby(fake: FakeWarren): void {
  const room = { ...fake.warren.room.store.getState(), status: "nearby" };
  act(() => fake.setRoom(room as Parameters<typeof fake.setRoom>[0]));
}

function ring(fake: FakeWarren): void {
  const message = { id: "ring-0001", client: mara, target: me, createdAt: 0, type: "ring", video: false };
  act(() => fake.warren.call.ringing.receive(mara, message as PeerMessageOf<"ring">));
}

interface Screen {
  readonly page: ReactNode;
  /** Leads to where the person is named. */
  readonly begin?: (fake: FakeWarren) => void;
  /** Keys that open it. */
  readonly keys?: string;
}

/** Every screen that names a person in full. */
const screens: Readonly<Record<string, Screen>> = {
  "the list of people": { page: <PeopleListPane /> },
  "a conversation": { page: <ConversationPane conversationId={mara} /> },
  "a comparison of files": { page: <ComparisonPage personId={mara} /> },
  "a person nearby": { page: <NearbySection />, begin: nearby },
  "the details of a person": {
    page: <Opener open={() => openDialog(PersonInfoDialog, { personId: mara })} />,
  },
  "whom to call": { page: <CallPage conversation={() => null} /> },
  "an incoming call": { page: <Rings />, begin: ring },
  "whom to forward to": { page: <Forward /> },
  "what to send": { page: <Send /> },
  "whom to share with": {
    page: <SharePage />,
    begin: ({ tab }) => act(() => tab.shareTray.put([{ type: "text", text: "Tide" }])),
  },
  "the palette": { page: <Palette>{null}</Palette>, keys: "{Control>}k{/Control}" },
};

async function open({ page, begin, keys }: Screen, change: Partial<Peer>) {
  const fake = fakeWith(change);
  const platform = { ...fakePlatform(), media: fakeMedia([]) as unknown as LocalMedia };
  const view = renderWithWarren(page, fake, { platform });
  begin?.(fake);
  const opener = screen.queryByRole("button", { name: "Open" });
  if (opener) await view.user.click(opener);
  if (keys !== undefined) await view.user.keyboard(keys);
  return { fake, ...view };
}

test.each(Object.entries(screens))("%s says which way it took", async (_name, shown) => {
  await open(shown, { route: { kind: "direct-local", relayHost: null } });
  expect((await screen.findAllByText(/directly on your network/i)).length).toBeGreaterThan(0);
});

const unmet = {
  session: "disconnected",
  ready: false,
  error: { code: "connection-failed", values: {} },
} as const;

test.each(["a conversation", "a comparison of files", "a person nearby", "the details of a person"] as const)(
  "%s says what to press where it did not work",
  async (name) => {
    const { fake, user } = await open(screens[name] as Screen, unmet);
    expect((await screen.findAllByText("Not connected")).length).toBeGreaterThan(0);
    expect(screen.getByRole("button", { name: "Find out why" })).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(fake.argsOf("retryConnection")).toEqual([[mara]]));
  },
);
