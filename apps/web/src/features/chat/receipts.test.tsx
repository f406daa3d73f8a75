import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { clientIdOf, fakeFile, fakePeer, me, roomWith } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { ConversationPane } from "./conversation-pane.tsx";

const [mara, noor, jun, elise] = [clientIdOf(1), clientIdOf(2), clientIdOf(3), clientIdOf(4)];
const noon = new Date(2026, 10, 19, 12, 0).getTime();

afterEach(cleanup);

test("with everyone tells what each did with a file, and not that its offer was received", async () => {
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
  const offer = fakeFile(me, "everyone", {}, { status: "init" }, noon, {
    deliveries,
    transfers: {
      [mara]: { status: "complete", verified: true },
      [noor]: { status: "error", error: { code: "transfer-declined", values: {} } },
      [jun]: { status: "init" },
      [elise]: { status: "transferring" },
    },
  });
  fake.addMessage(offer);
  const { user } = renderWithWarren(<ConversationPane conversationId="everyone" />, fake);
  expect(screen.queryByText(/received by/)).toBeNull();
  await user.click(screen.getByRole("button", { name: /accepted by 2, declined by 1, waiting for 1$/ }));
  const list = await screen.findByRole("dialog", { name: "Who accepted it" });
  expect(
    within(list)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual(["Mara LindqvistComplete", "Noor HaddadDeclined", "Jun TanakaWaiting", "Elise KayaAccepted"]);
});
