import { describePicture } from "@warren/protocol/testing/describe-picture";
import { AdmissionBudgets } from "../limits/admission-budgets.ts";
import { type RoomEvent, toRelayed } from "../relay/relay.ts";
import { ManualClock } from "../testing/manual-clock.ts";
import { testClientId, testRoomTag } from "../testing/test-client.ts";
import { testStep } from "../testing/test-signals.ts";
import { type Greeter, Lobby } from "./lobby.ts";

const states = ["waiting", "asked", "deferred", "greeted", "admitted", "over"] as const;
type State = (typeof states)[number];

const room = testRoomTag("a");
const guestId = testClientId(9);
const greeterId = testClientId(1);

/** A locked room at whose door one newcomer waits. */
class Door {
  readonly #clock = new ManualClock();
  readonly #greeters: Greeter[] = [];
  readonly #lobby: Lobby;
  /** What the newcomer was told, and its greeter. */
  readonly #heard: RoomEvent[] = [];
  readonly #reported: RoomEvent[] = [];
  #isSeated = false;
  readonly #cancel: () => void;

  constructor() {
    const clock = this.#clock;
    this.#lobby = new Lobby({
      room,
      clock,
      budgets: new AdmissionBudgets({ privateAddressFactor: 1 }, clock),
      greeters: () => this.#greeters,
      isMember: () => false,
      seat: () => {
        this.#isSeated = true;
      },
    });
    const request = {
      room,
      identity: { clientId: guestId, isProven: true },
      address: { key: "203.0.113.1", isPrivate: false },
      locked: true,
      claim: undefined,
      mayOpenRoom: () => true,
    };
    const answer = this.#lobby.enter(request, (event) => this.#heard.push(event));
    if (answer.status !== "pending") throw new Error(answer.status);
    this.#cancel = answer.knock.cancel;
  }

  /** By what the newcomer and its greeters hear. */
  get state(): State {
    const last = this.#heard.at(-1);
    if (this.#isSeated) return "admitted";
    if (last?.type === "turned-away" || this.#reported.at(-1)?.type === "member-left") return "over";
    if (last?.type === "signal") return "greeted";
    if (last?.type !== "pending") throw new Error(last?.type);
    if (last.approval) return "deferred";
    return last.greeter ? "asked" : "waiting";
  }

  readonly events: Readonly<Record<string, () => void>> = {
    "greeter-free": () => {
      const listener = (event: RoomEvent) => void this.#reported.push(event);
      this.#greeters.push({ member: { clientId: greeterId, order: 0 }, listener });
      this.#lobby.serve();
    },
    "greeter-goes": () => {
      for (const { listener } of this.#greeters.splice(0)) this.#lobby.greeterGone(listener);
    },
    defers: () => this.#lobby.defer(greeterId, guestId),
    starts: () => this.#lobby.fromGreeter(greeterId, guestId, toRelayed(testStep("hs1"))),
    admits: () => this.#lobby.admit(greeterId, guestId),
    rejects: () => this.#lobby.reject(greeterId, guestId, "incorrect-password"),
    cancels: () => this.#cancel(),
    "time-up": () => this.#clock.advance(60_000),
  };
}

const ways: Readonly<Partial<Record<State, readonly string[]>>> = {
  waiting: [],
  asked: ["greeter-free"],
  deferred: ["greeter-free", "defers"],
  greeted: ["greeter-free", "starts"],
};

describePicture<State>({
  title: "a newcomer in the lobby",
  states,
  events: Object.keys(new Door().events),
  leadsTo: (from, event) => {
    const door = new Door();
    for (const step of [...(ways[from] ?? []), event]) door.events[step]?.();
    return [door.state];
  },
});
