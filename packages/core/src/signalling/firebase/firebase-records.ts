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
/** A seat that was not renewed for this long may be taken by anybody; the rules of the database agree. */
const seatLifeMs = 180_000;

const { clientId, order } = roomMemberSchema.entries;

/** The holder of a seat, and when it was last renewed, by the database's clock. */
const seatSchema = v.object({ uid: v.string(), at: finiteNumber });
/**
 * A member, by its account. `visit` identifies the page that took the seat, as opposed to a later page of the same
 * account.
 */
const memberSchema = v.object({ id: clientId, order, seat: v.string(), visit: v.string() });
/** A newcomer waiting for admission to a locked room, by its account. */
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

/** The valid entries of a folder of the database, by key. Accounts can write anything that the rules permit. */
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

/** Members by account, earlier ones first. Of two with the same client id, the later one is ignored. */
export function membersOf(folder: unknown): Map<string, Member> {
  const found = [...entriesOf<Member>(memberSchema, folder)].sort(
    ([a, one], [b, other]) => one.order - other.order || (a < b ? -1 : 1),
  );
  const ids = new Set<ClientId>();
  return new Map(found.filter(([, { id }]) => !ids.has(id) && ids.add(id)));
}

/** The seats held at `now`, in ms of the database's clock, and those whose owner is gone. */
export function sortSeats(seats: ReadonlyMap<string, SeatEntry>, now: number) {
  const isHeld = ([, { at }]: [string, SeatEntry]) => at >= now - seatLifeMs;
  const entries = [...seats];
  return { held: new Map(entries.filter(isHeld)), left: entries.filter((entry) => !isHeld(entry)) };
}

/** The numbers of the free seats. */
export function freeSeats(held: ReadonlyMap<string, SeatEntry>): string[] {
  return Array.from({ length: seatCount }, (_, seat) => String(seat)).filter((seat) => !held.has(seat));
}

/** Writes a signal to an account's inbox. If the rules refuse it, it is lost like any other. */
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
