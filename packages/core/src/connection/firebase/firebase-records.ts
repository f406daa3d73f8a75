import {
  type ClientId,
  finiteNumber,
  roomMemberSchema,
  type SealedSignal,
  sealedSignalSchema,
  textUpTo,
  v,
} from "@warren/protocol";
import { child, type DatabaseReference, push, set } from "firebase/database";

/** The most members of a room: the rules of the database know seats 0 to 31 (deploy/firebase/database.rules.json). */
const seatCount = 32;
/** A seat that its owner has not renewed for this long may be taken by anybody, also by the rules. */
const seatLifeMs = 180_000;

const { clientId, order } = roomMemberSchema.entries;

/** Who holds a seat, and when that was renewed last, by the clock of the database. */
const seatSchema = v.object({ uid: v.string(), at: finiteNumber });
/** A member, by its account: `visit` names the page that took the seat, which distinguishes it from a later page of the same account. */
const memberSchema = v.object({ id: clientId, order, seat: v.string(), visit: v.string() });
/** A newcomer at the door of a locked room, by its account. */
const knockSchema = v.object({
  id: clientId,
  at: finiteNumber,
  greeter: v.optional(v.string()),
  greeterId: v.optional(clientId),
  outcome: v.optional(v.picklist(["asking", "admitted", "incorrect-password", "not-admitted"])),
});
const letterSchema = v.object({ uid: v.string(), signal: textUpTo(45_000) });

export type SeatEntry = v.InferOutput<typeof seatSchema>;
export type Member = v.InferOutput<typeof memberSchema>;
export type Knock = v.InferOutput<typeof knockSchema>;
export type Outcome = NonNullable<Knock["outcome"]>;

/** The valid entries of a folder of the database, by key. An account can write anything that the rules let pass. */
function entriesOf<T>(schema: v.GenericSchema<unknown, T>, folder: unknown): Map<string, T> {
  const entries = Object.entries(typeof folder === "object" && folder !== null ? folder : {});
  return new Map(
    entries.flatMap(([key, value]) => {
      const parsed = v.safeParse(schema, value);
      return parsed.success ? [[key, parsed.output] as const] : [];
    }),
  );
}

export const seatsOf = (folder: unknown) => entriesOf<SeatEntry>(seatSchema, folder);
export const knocksOf = (folder: unknown) => entriesOf<Knock>(knockSchema, folder);

/** Members by account, earlier ones first. Of two that claim one client id, the later one does not count. */
export function membersOf(folder: unknown): Map<string, Member> {
  const found = [...entriesOf<Member>(memberSchema, folder)].sort(
    ([a, one], [b, other]) => one.order - other.order || (a < b ? -1 : 1),
  );
  const ids = new Set<ClientId>();
  return new Map(found.filter(([, { id }]) => !ids.has(id) && ids.add(id)));
}

/** The seats that are held at `now`, in milliseconds of the database's clock, and those whose owner is gone. */
export function sortSeats(seats: ReadonlyMap<string, SeatEntry>, now: number) {
  const isHeld = ([, { at }]: [string, SeatEntry]) => at >= now - seatLifeMs;
  const entries = [...seats];
  return { held: new Map(entries.filter(isHeld)), left: entries.filter((entry) => !isHeld(entry)) };
}

/** The numbers of the free seats. */
export function freeSeats(held: ReadonlyMap<string, SeatEntry>): string[] {
  return Array.from({ length: seatCount }, (_, seat) => String(seat)).filter((seat) => !held.has(seat));
}

/** Puts a signal into an account's inbox. One that the rules refuse is lost like any other. */
export function postLetter(
  room: DatabaseReference,
  { from, to, signal }: { readonly from: string; readonly to: string; readonly signal: SealedSignal },
): void {
  set(push(child(room, `inboxes/${to}`)), { uid: from, signal: JSON.stringify(signal) }).catch(() => {});
}

/** The account that sent a letter, and its signal; null if the record is not a letter. */
export function readLetter(value: unknown) {
  const letter = v.safeParse(letterSchema, value);
  if (!letter.success) return null;
  try {
    const signal = v.safeParse(sealedSignalSchema, JSON.parse(letter.output.signal));
    return signal.success ? { uid: letter.output.uid, signal: signal.output } : null;
  } catch {
    return null;
  }
}
