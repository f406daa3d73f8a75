import {
  type ClientId,
  clientIdSchema,
  displayNameSchema,
  limits,
  roomIdSchema,
  textUpTo,
  timestampSchema,
  v,
  WarrenError,
} from "@warren/protocol";
import type { KeyValueStorage } from "../ports/key-value-storage.ts";
import { randomBelow } from "../shared/ids.ts";
import { readJson } from "../shared/storage/read-json.ts";
import { createStore, type ReadableStore, type WritableStore } from "../shared/store.ts";
import { nicknames, roomNouns } from "./words.ts";

/** The storage key of the profile. */
export const profileKey = "profile";

const passwordSchema = v.pipe(
  v.nullable(textUpTo(256)),
  v.transform((password) => (password === "" ? null : password)),
);

/** The schema of each field of a profile. */
export const profileFields = {
  roomId: roomIdSchema,
  name: displayNameSchema,
  clientId: clientIdSchema,
  /** Null for a room without a password; never sent to a server. */
  password: passwordSchema,
  /** The URL or data URL of a picture; null to draw initials. */
  avatar: v.nullable(textUpTo(4 * limits.avatarBytes)),
  autoJoin: v.boolean(),
  /** Whether joining requires confirmation first, because the room came from a link. */
  initialJoin: v.boolean(),
  createdAt: timestampSchema,
};
const profileSchema = v.object(profileFields);

/** The identity of this browser, and its current room. */
export type Profile = Readonly<v.InferOutput<typeof profileSchema>>;

/** The fields a person can change; `clientId` is read-only. */
export type ProfileChange = Partial<Omit<Profile, "clientId" | "createdAt">>;

/** The profile of this browser, persisted in storage. */
export class ProfileService {
  readonly store: ReadableStore<Profile>;
  readonly #store: WritableStore<Profile>;
  readonly #storage: KeyValueStorage;

  /**
   * @param clientId the id of this browser (see handshake/identity); replaces a different one in a stored profile.
   * @param now ms since the epoch, for a new profile.
   * @param suggestName the name of a new profile.
   */
  constructor(storage: KeyValueStorage, clientId: ClientId, now: number, suggestName = randomName) {
    this.#storage = storage;
    this.#store = createStore({ ...readProfile(storage, now, suggestName), clientId });
    this.store = this.#store;
    this.#save();
  }

  get(): Profile {
    return this.#store.getState();
  }

  /**
   * Changes fields of the profile; an empty password becomes null.
   * @throws WarrenError `frame-invalid` naming the first invalid field; nothing changes then.
   */
  update(change: ProfileChange): void {
    const parsed = v.safeParse(profileSchema, { ...this.get(), ...change });
    if (!parsed.success) {
      throw new WarrenError("frame-invalid", { issue: String(parsed.issues[0].path?.[0]?.key ?? "profile") });
    }
    this.#store.setState(parsed.output, true);
    this.#save();
  }

  /**
   * Adopts the changes of another tab to name, picture and whether rooms are joined at the start. The room remains this
   * tab's own.
   */
  reread(): void {
    const stored = readJson(this.#storage, profileKey);
    const { name, avatar, autoJoin }: { readonly [Name in keyof Profile]?: unknown } = { ...Object(stored) };
    const parsed = v.safeParse(profileSchema, { ...this.get(), name, avatar, autoJoin });
    if (parsed.success) this.#store.setState(parsed.output, true);
  }

  #save(): void {
    this.#storage.write(profileKey, JSON.stringify(this.get()));
  }
}

/** A random nickname: the default for a person's name. */
export function randomName(): string {
  return pickWord(nicknames);
}

/** A random noun: the default for a room. */
export function randomRoomId(): string {
  return pickWord(roomNouns);
}

/** The stored profile, repaired field by field. @param now ms since the epoch, used if none is stored. */
export function readProfile(
  storage: KeyValueStorage,
  now: number,
  suggestName = randomName,
): Omit<Profile, "clientId"> {
  const stored: unknown = readJson(storage, profileKey);
  const record: Readonly<Record<string, unknown>> =
    typeof stored === "object" && stored !== null ? { ...stored } : {};
  const field = <T>(name: keyof Profile, fallback: () => T, schema: v.GenericSchema<unknown, T>): T => {
    const parsed = v.safeParse(schema, record[name]);
    return parsed.success ? parsed.output : fallback();
  };
  return {
    roomId: field("roomId", randomRoomId, profileFields.roomId),
    name: field("name", suggestName, profileFields.name),
    password: field<string | null>("password", () => null, profileFields.password),
    avatar: field<string | null>("avatar", () => null, profileFields.avatar),
    autoJoin: field("autoJoin", () => false, profileFields.autoJoin),
    initialJoin: field("initialJoin", () => false, profileFields.initialJoin),
    createdAt: field("createdAt", () => now, profileFields.createdAt),
  };
}

/** One of these words. */
export function pickWord(words: readonly string[]): string {
  return words[randomBelow(words.length)] ?? "warren";
}
