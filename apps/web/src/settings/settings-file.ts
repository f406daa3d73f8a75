import {
  type DroppedOption,
  type Options,
  type Profile,
  type ProfileChange,
  profileFields,
  readOptions,
  type Servers,
} from "@warren/core";
import { v } from "@warren/protocol";
import { isSafePicture } from "../pictures/safe-picture.ts";
import { type Theme, themes } from "../wiring/preferences/use-theme.ts";

/** The largest settings file: twice the largest picture. */
export const settingsFileBytesMax = 4 * 1024 ** 2;

const kind = "warren-settings";
const fileProfileFields = ["name", "roomId", "avatar", "autoJoin", "password"] as const;
type FileProfileField = (typeof fileProfileFields)[number];

/** Everything a settings file can contain. */
interface SettingsInFile {
  readonly options: Partial<Options>;
  readonly profile: Pick<ProfileChange, FileProfileField>;
  readonly theme?: Theme;
}

/** The settings read from a file, and the ignored entries. */
export interface ReadSettingsFile extends SettingsInFile {
  readonly dropped: readonly DroppedOption[];
}

/** Serializes settings. Passwords of the room and of TURN servers are included only if chosen. */
export function writeSettingsFile(
  {
    options,
    profile,
    theme,
  }: { readonly options: Options; readonly profile: Profile; readonly theme: Theme },
  secrets: { readonly withPassword: boolean; readonly withTurnSecrets: boolean },
): string {
  const { name, roomId, avatar, autoJoin, password } = profile;
  const turns = options.servers.turns.map((turn) =>
    secrets.withTurnSecrets ? turn : { ...turn, password: "" },
  );
  const content = {
    kind,
    version: 1,
    options: { ...options, servers: { ...options.servers, turns } },
    profile: { name, roomId, avatar, autoJoin, ...(secrets.withPassword && { password }) },
    theme,
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** Parses an untrusted settings file; null if it is none. Never throws. */
export function readSettingsFile(text: string): ReadSettingsFile | null {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return null;
  }
  const file = recordOf(given);
  if (file.kind !== kind) return null;
  const { options, dropped } = readOptions(file.options);
  const profile = readProfile(file.profile);
  const theme = themes.find((known) => known === file.theme);
  const isThemeDropped = file.theme !== undefined && theme === undefined;
  return {
    options,
    profile: profile.fields,
    ...(theme !== undefined && { theme }),
    dropped: [
      ...dropped,
      ...profile.dropped,
      ...(isThemeDropped ? [{ name: "theme", reason: "invalid" } as const] : []),
    ],
  };
}

/** The changes an import would make. */
export interface ImportPlan {
  readonly change: SettingsInFile;
  /** The names of options, and of fields of the profile, that would change. */
  readonly changed: readonly string[];
}

/** Compares the settings read from a file with the current ones. */
export function planImport(
  read: ReadSettingsFile,
  now: { readonly options: Options; readonly profile: Profile; readonly theme: Theme },
): ImportPlan {
  const { servers } = read.options;
  const given = {
    ...read.options,
    ...(servers !== undefined && { servers: withOwnSecrets(servers, now.options.servers) }),
  };
  const options = differing(given, now.options);
  const profile = differing(read.profile, now.profile);
  const theme = read.theme === now.theme ? undefined : read.theme;
  return {
    change: { options, profile, ...(theme !== undefined && { theme }) },
    changed: [...Object.keys(options), ...Object.keys(profile), ...(theme === undefined ? [] : ["theme"])],
  };
}

/** The fields of `given` that differ from `now`. */
function differing<T extends object>(given: Partial<T>, now: T): Partial<T> {
  const present = new Map(Object.entries(now));
  const changed = Object.entries(given).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(present.get(name)),
  );
  return Object.fromEntries(changed) as Partial<T>;
}

/** A file's servers, with my own passwords filled in where it has none for the same address and user. */
export function withOwnSecrets(servers: Servers, own: Servers): Servers {
  const turns = servers.turns.map((turn) => {
    if (turn.password !== "") return turn;
    const mine = own.turns.find(
      ({ url, username, authMethod }) =>
        url === turn.url && username === turn.username && authMethod === turn.authMethod,
    );
    return mine ?? turn;
  });
  return { ...servers, turns };
}

function readProfile(given: unknown) {
  const record = recordOf(given);
  const dropped: DroppedOption[] = [];
  const read = fileProfileFields.flatMap((name) => {
    if (record[name] === undefined) return [];
    const parsed = v.safeParse(profileFields[name], record[name]);
    // Rendering a picture from an address would contact its host.
    const isUsable = name !== "avatar" || record[name] === null || isSafePicture(record[name]);
    if (parsed.success && isUsable) return [[name, parsed.output] as const];
    dropped.push({ name, reason: "invalid" });
    return [];
  });
  return { fields: Object.fromEntries(read) as SettingsInFile["profile"], dropped };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
