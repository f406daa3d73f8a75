import { expect, it } from "vitest";
import type { Relay, RoomEvent } from "../relay/relay.ts";
import { ResumeTokens } from "../resume-token.ts";
import { ManualClock } from "../testing/manual-clock.ts";
import { testClientId, testIncarnation, testRoomTag } from "../testing/test-client.ts";
import { TurnSignIns } from "../turn-sign-ins.ts";
import { type JoinEvent, Rooms } from "./rooms.ts";

it("holds back events until the joined frame was sent, and keeps their order", async () => {
  const clock = new ManualClock();
  const left = (number: number): RoomEvent => ({ type: "member-left", clientId: testClientId(number) });
  let emit = (_event: RoomEvent): void => {};
  const relay: Relay = {
    state: { rooms: 0, redisServers: 0, redisServersUp: 0 },
    async enter(_request, listener) {
      emit = listener;
      listener(left(2));
      const seat = {
        send: () => undefined,
        admit: () => false,
        reject: () => false,
        defer: () => false,
        leave() {},
        drop() {},
      };
      return { status: "seated", seat, order: 0, members: [], incarnation: testIncarnation() };
    },
    close() {},
  };
  const received: JoinEvent[] = [];
  const turn = new TurnSignIns({ urls: [], secret: "" }, clock, () => true);
  const rooms = new Rooms(relay, new ResumeTokens(clock), clock, turn);
  const request = {
    identity: { clientId: testClientId(1), isProven: false },
    room: testRoomTag("a"),
    address: { key: "", isPrivate: false },
    locked: false,
    mayOpenRoom: () => true,
  };
  const answer = await rooms.join(request, (event) => received.push(event));
  emit(left(3));
  expect(received).toEqual([]);
  if (answer.status === "refused") throw new Error(answer.reason);
  answer.listen();
  emit(left(4));
  expect(received).toEqual([left(2), left(3), left(4)]);
});
