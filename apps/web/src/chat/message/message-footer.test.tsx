import { act, cleanup, screen, within } from "@testing-library/react";
import type { Offer, TextMessage } from "@warren/core";
import { afterEach, expect, test } from "vitest";
import {
  clientIdOf,
  fakeContact,
  fakeFile,
  fakePeer,
  fakeText,
  me,
  roomWith,
} from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import ConversationPane from "../conversation-pane.tsx";

const [mara, noor, jun, elise] = [clientIdOf(1), clientIdOf(2), clientIdOf(3), clientIdOf(4)];
const noon = new Date(2026, 10, 19, 12, 0).getTime();

afterEach(cleanup);

test("with everyone shows each peer's outcome of a file, not the receipt of its offer", async () => {
  const fake = fakeWarren();
  fake.setRoom(
    roomWith([
      fakePeer(1, "Mara Lindqvist"),
      fakePeer(2, "Noor Haddad"),
      fakePeer(3, "Jun Tanaka"),
      fakePeer(4, "Elise Kaya"),
    ]),
  );
  const received = { status: "received" } as const;
  const deliveries = { [mara]: received, [noor]: received, [jun]: received, [elise]: received };
  const offer = fakeFile(me, "everyone", {}, { state: "offered" }, noon, {
    deliveries,
    offers: {
      [mara]: { state: "complete" },
      [noor]: { state: "declined" },
      [jun]: { state: "offered" },
      [elise]: { state: "accepted" },
    },
  });
  fake.addMessage(offer);
  const { user } = renderWithWarren(<ConversationPane conversationId="everyone" />, fake);
  expect(screen.queryByText(/received by/)).toBeNull();
  await user.click(screen.getByRole("button", { name: /Who has it$/ }));
  const list = await screen.findByRole("dialog", { name: "Who has it" });
  expect(
    within(list)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual(["Mara LindqvistComplete", "Noor HaddadDeclined", "Jun TanakaWaiting", "Elise KayaAccepted"]);
});

test("a change that an older version never gets is not said to be on its way", async () => {
  const edited = (deliveries: readonly string[]) => ({
    deliveries: Object.fromEntries(deliveries.map((id) => [id, { status: "received" as const }])),
    edited: noon + 1,
    unsentChanges: { [mara]: ["edit"] as const },
  });
  const fake = fakeWarren();
  const reader = fakePeer(2, "Noor Haddad", {
    profile: { name: "Noor Haddad", avatar: null, changes: true },
  });
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist"), reader]));
  fake.addMessage(fakeText(me, mara, "At ten", noon, edited([mara])));
  fake.addMessage(fakeText(me, "everyone", "At eleven", noon, edited([mara, noor])));
  const alone = renderWithWarren(<ConversationPane conversationId={mara} />, fake);
  const words = "Mara's Warren is older and cannot show changes";
  expect(screen.getByText(words)).toBeTruthy();
  expect(screen.queryByText("Sending")).toBeNull();
  act(() => fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist", { ready: false }), reader])));
  expect(screen.getByText("Waiting for Mara")).toBeTruthy();
  act(() => fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist"), reader])));
  alone.unmount();
  const { user } = renderWithWarren(<ConversationPane conversationId="everyone" />, fake);
  await user.click(screen.getByRole("button", { name: /received by 1 of 2/i }));
  const list = await screen.findByRole("dialog");
  expect(
    within(list)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual([`Mara Lindqvist${words}`, "Noor HaddadReceived"]);
});

test("says beside the time of a text that it was edited, and not of the next one", () => {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  fake.addMessage(fakeText(mara, mara, "At ten", noon, { edited: noon + 1 }));
  fake.addMessage(fakeText(mara, mara, "At the quay", noon + 2));
  renderWithWarren(<ConversationPane conversationId={mara} />, fake);
  const footerOf = (text: string) =>
    screen.getByText(text).closest("article")?.querySelector("time")?.parentElement;
  expect(footerOf("At ten")?.textContent).toMatch(/^12:00( PM)?·Edited$/);
  expect(footerOf("At the quay")?.textContent).toMatch(/^12:00( PM)?$/);
});

test("files offered together share one list of all outcomes", async () => {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist"), fakePeer(2, "Noor Haddad")]));
  const received = { status: "received" } as const;
  const complete = { state: "complete" } as const;
  const declined = { state: "declined" } as const;
  const offer = (maras: Offer, noors: Offer, at: number) =>
    fakeFile(me, "everyone", {}, { state: "offered" }, noon + at, {
      deliveries: { [mara]: received, [noor]: received },
      offers: { [mara]: maras, [noor]: noors },
    });
  fake.addMessage(fakeText(me, "everyone", "before", noon));
  const last = offer(declined, declined, 3);
  for (const one of [offer(complete, declined, 1), offer(complete, declined, 2), last]) fake.addMessage(one);
  const { user } = renderWithWarren(<ConversationPane conversationId="everyone" />, fake);
  await user.click(screen.getByRole("button", { name: /Who has them$/ }));
  const list = await screen.findByRole("dialog", { name: "Who has them" });
  const lines = () => within(list).getAllByRole("listitem");
  expect(lines().map(({ textContent }) => textContent)).toEqual([
    "Mara Lindqvist2 of 3 received, 1 declined",
    "Noor HaddadDeclined",
  ]);
  act(() => fake.changeMessage({ ...last, offers: { [mara]: complete, [noor]: declined } }));
  expect(lines()[0]?.textContent).toBe("Mara LindqvistComplete");
});

test("with one peer says once that a file was received: on its card, or under a picture, which has none", () => {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  const deliveries = { [mara]: { status: "received" } } as const;
  const offer = fakeFile(me, mara, {}, { state: "offered" }, noon, { deliveries });
  fake.addMessage(offer);
  renderWithWarren(<ConversationPane conversationId={mara} />, fake);
  expect(screen.getByText(/waiting for Mara/i)).toBeTruthy();
  expect(screen.queryByText("Received")).toBeNull();
  const offers = { [mara]: { state: "complete" } } as const;
  act(() => fake.changeMessage({ ...offer, offers }));
  expect(screen.getByText("Received by Mara")).toBeTruthy();
  expect(screen.queryByText("Received")).toBeNull();
  const file = { ...offer.file, fileName: "quay.png", mimeType: "image/png" };
  act(() => fake.changeMessage({ ...offer, offers, file }));
  expect(screen.getByText("Received")).toBeTruthy();
});

test.each([
  ["offered", /waiting for 2 people/i],
  ["complete", /received by/i],
] as const)(
  "with everyone does not repeat what the card of the only %s file says, and lists who",
  async (state, words) => {
    const fake = fakeWarren();
    fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist"), fakePeer(2, "Noor Haddad")]));
    const received = { status: "received" } as const;
    fake.addMessage(
      fakeFile(me, "everyone", {}, { state: "offered" }, noon, {
        deliveries: { [mara]: received, [noor]: received },
        offers: { [mara]: { state }, [noor]: { state } },
      }),
    );
    const { user } = renderWithWarren(<ConversationPane conversationId="everyone" />, fake);
    expect(screen.getAllByText(words)).toHaveLength(1);
    await user.click(screen.getByRole("button", { name: /Who has it$/ }));
    const list = await screen.findByRole("dialog", { name: "Who has it" });
    expect(within(list).getAllByRole("listitem")).toHaveLength(2);
  },
);

test("a text to everyone says who has it and who of the room is away", async () => {
  const dayMs = 24 * 60 * 60 * 1_000;
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist"), fakePeer(2, "Noor Haddad")]));
  fake.setChat({ contacts: { [jun]: fakeContact(3, "Jun Tanaka"), [elise]: fakeContact(4, "Elise Kaya") } });
  const deliveries = { [mara]: { status: "received" as const }, [noor]: { status: "received" as const } };
  fake.addMessage(fakeText(me, "everyone", "At ten", noon, { deliveries, entry: 1 }));
  const seen = { metAt: noon - 30 * dayMs, lastSeen: noon - dayMs };
  fake.setMembers({ [mara]: seen, [noor]: seen });
  const { user } = renderWithWarren(<ConversationPane conversationId="everyone" />, fake);
  expect(screen.getByRole("button", { name: /received by all/ })).toBeTruthy();
  act(() =>
    fake.setMembers({
      [mara]: seen,
      [jun]: seen,
      // Too long ago, and met only later.
      [elise]: { ...seen, lastSeen: noon - 8 * dayMs },
      [clientIdOf(5)]: { metAt: noon + 1, lastSeen: noon + 1 },
    }),
  );
  await user.click(screen.getByRole("button", { name: /received by 2 · Jun is not here/ }));
  const list = await screen.findByRole("dialog", { name: "Who received it" });
  expect(
    within(list)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual(["Mara LindqvistReceived", "Noor HaddadReceived", "Jun TanakaWaiting for Jun"]);
  act(() => fake.setMembers({ [clientIdOf(6)]: { ...seen, name: "Ivo Kos" } }));
  expect(screen.getByRole("button", { name: /received by 2 · Ivo is not here/, hidden: true })).toBeTruthy();
  act(() => fake.setMembers({ [jun]: seen, [elise]: seen }));
  expect(screen.getByRole("button", { name: /received by 2 · 2 are not here/, hidden: true })).toBeTruthy();
});

test("a text that was deleted before anybody had it waits for nobody", () => {
  const fake = fakeWarren();
  fake.setRoom(roomWith([]));
  const kept = fakeText(me, "everyone", "A mistake", noon, { deliveries: {}, entry: 1 });
  fake.addMessage(kept);
  renderWithWarren(<ConversationPane conversationId="everyone" />, fake);
  expect(screen.getByText("not delivered yet")).toBeTruthy();
  act(() => fake.changeMessage({ ...kept, data: "", deleted: true }));
  expect(screen.getByText("Deleted message")).toBeTruthy();
  expect(screen.queryByText(/not delivered yet/)).toBeNull();
});

test("does not say that somebody will get what the room's log has no space for any more", async () => {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist"), fakePeer(2, "Noor Haddad", { ready: false })]));
  fake.setMembers({ [jun]: { metAt: noon - 1, lastSeen: noon, name: "Jun Tanaka" } });
  const sending = { status: "sending" } as const;
  const said = (text: string, entry: number, deliveries: TextMessage["deliveries"]) =>
    fake.addMessage(fakeText(me, "everyone", text, noon + entry, { entry, deliveries }));
  said("At nine", 1, {});
  said("At ten", 2, { [noor]: sending });
  said("At eleven", 3, { [mara]: { status: "received" }, [noor]: sending });
  said("At noon", 4, {});
  const { user } = renderWithWarren(<ConversationPane conversationId="everyone" />, fake);
  const footers = () =>
    screen
      .getAllByRole("article")
      .map((article) => article.querySelector("time")?.parentElement?.textContent);
  expect(footers()).toEqual([
    expect.stringMatching(/·Waits for Jun$/i),
    expect.stringMatching(/Waiting for Noor$/i),
    expect.stringMatching(/·Received by 1 · Jun is not here$/i),
    expect.stringMatching(/·Waits for Jun$/i),
  ]);
  act(() => fake.setOwnFloor(4));
  expect(footers()).toEqual([
    expect.stringMatching(/·Nobody received it$/i),
    expect.stringMatching(/·Nobody received it$/i),
    expect.stringMatching(/·Received by 1 of 2$/i),
    expect.stringMatching(/·Waits for Jun$/i),
  ]);
  await user.click(screen.getByRole("button", { name: /received by 1 of 2/i }));
  const list = await screen.findByRole("dialog", { name: "Who received it" });
  expect(
    within(list)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual(["Mara LindqvistReceived", "Noor HaddadNot received"]);
});
