import { expect, it } from "vitest";
import { AdmissionBudgets } from "../limits/admission-budgets.ts";
import { type RoomEvent, type SeatRequest, toRelayed } from "../relay/relay.ts";
import { ManualClock } from "../testing/manual-clock.ts";
import { testClientId, testIncarnation, testRoomTag } from "../testing/test-client.ts";
import { testStep } from "../testing/test-signals.ts";
import { Room } from "./room.ts";

const tag = testRoomTag("a");
const [ann, bob] = [testClientId(1), testClientId(2)];

it("remembers the key of a member that was seated by its token while it knocked with another socket", () => {
  const clock = new ManualClock();
  const budgets = new AdmissionBudgets({ privateAddressFactor: 1 }, clock);
  const startedAt = clock.now();
  const room = new Room({ tag, clock, budgets, maxMembers: 3, startedAt, isOver: false, onEmpty: () => {} });
  const events: RoomEvent[] = [];
  const request = (clientId: string, address: string): SeatRequest => ({
    room: tag,
    identity: { clientId, isProven: true },
    address: { key: address, isPrivate: false },
    locked: true,
    claim: undefined,
    mayOpenRoom: () => true,
  });
  const claim = (order: number) => ({
    ...{ incarnation: testIncarnation(), order, issuedAt: startedAt - 1 },
    ...{ isFresh: true, isProven: true, isLocked: true },
  });
  const knock = () => room.enter(request(bob, "203.0.113.2"), (event) => events.push(event));
  const greeter = room.enter({ ...request(ann, "203.0.113.1"), claim: claim(0) }, () => {});
  if (greeter.status !== "seated") throw new Error(greeter.status);
  knock();
  greeter.seat.send(bob, toRelayed(testStep("hs1")));

  const member = room.enter({ ...request(bob, "203.0.113.2"), claim: claim(1) }, () => {});
  if (member.status !== "seated") throw new Error(member.status);
  member.seat.leave();
  for (let number = 3; number < 40; number++) {
    budgets
      .reserve(tag, { ...request(testClientId(number), `198.51.100.${number}`), isReturning: false })
      ?.test();
  }
  events.length = 0;
  knock();
  expect(events).toMatchObject([{ type: "pending", greeter: { clientId: ann } }]);
});
