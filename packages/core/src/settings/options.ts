import { integer as integerSchema, limits, listUpTo, textUpTo, v } from "@warren/protocol";

const kib = 1024;
const mib = 1024 * kib;
const gib = 1024 * mib;

/** The unit of a number option; the interface shows it after the value. */
export type OptionUnit = "bytes" | "channels" | "chunks" | "level" | "bitsPerSecond" | "fraction";

/** One option: its schema and default, and for numbers the effective range and the unit. */
export interface Option<T> {
  readonly schema: v.GenericSchema<unknown, T>;
  readonly default: T;
  readonly range?: { readonly min: number; readonly max: number; readonly unit: OptionUnit };
}

/** @param storedMax the largest stored value; values above `max` count as `max`. */
const integer = (
  value: number,
  min: number,
  max: number,
  unit: OptionUnit,
  storedMax = max,
): Option<number> => ({
  schema: integerSchema(min, storedMax),
  default: value,
  range: { min, max, unit },
});
const fraction = (value: number): Option<number> => ({
  schema: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  default: value,
  range: { min: 0, max: 1, unit: "fraction" },
});
const flag = (value: boolean): Option<boolean> => ({ schema: v.boolean(), default: value });
const text = (value: string | null, maxLength: number): Option<string | null> => ({
  schema: v.nullable(v.pipe(textUpTo(maxLength), v.nonEmpty())),
  default: value,
});

/**
 * Larger blocks are reduced to this: with its header a block fits into 64 KiB, the message size every browser accepts.
 */
export const blockSizeEffectMax = 63 * kib;
/** A higher low mark counts as this: longer send queues slow a transfer down. */
export const lowMarkEffectMax = 64 * kib;

/** The address of a STUN server. */
export const stunUrlSchema = v.pipe(v.string(), v.regex(/^stuns?:\S{1,506}$/i));

/** A TURN server with all its fields. */
export const turnServerSchema = v.object({
  authMethod: v.picklist(["hmac", "longterm", "cloudflare"]),
  url: v.pipe(v.string(), v.regex(/^turns?:\S{1,506}$/i)),
  username: textUpTo(512),
  password: textUpTo(512),
});
/** A TURN server and how its credentials are obtained. */
export type TurnServer = v.InferOutput<typeof turnServerSchema>;

/** The most STUN servers, and the most TURN servers. */
export const serverCountMax = 8;

const serversSchema = v.object({
  stuns: listUpTo(stunUrlSchema, serverCountMax),
  turns: listUpTo(turnServerSchema, serverCountMax),
});
/** The servers that help browsers find a route to each other. */
export type Servers = v.InferOutput<typeof serversSchema>;

/** The most characters of a background picture's data URL. */
export const pictureLengthMax = 2 * mib;

/** What a person wants of a screen: as the browser sees fit, sharp text, or smooth motion. */
export const screenPresets = ["automatic", "text", "motion"] as const;
export type ScreenPreset = (typeof screenPresets)[number];

/** How large a camera is: 360, 720 or 1080 lines. */
export const cameraPresets = ["low", "standard", "high"] as const;
export type CameraPreset = (typeof cameraPresets)[number];

/** The skin tones of emoji, from none in particular to the darkest. */
export const skinTones = ["none", "light", "medium-light", "medium", "medium-dark", "dark"] as const;
export type SkinTone = (typeof skinTones)[number];

/**
 * Every option of the app with its schema, default and range; the only place that defines them.
 * Null means "decided by the platform or the page".
 */
export const optionTable = {
  channelsNumber: integer(1, 1, 8, "channels"),
  chunkSize: integer(512 * kib, limits.chunkSizeMin, limits.chunkSizeMax, "bytes"),
  blockSize: integer(32 * kib, limits.blockSizeMin, blockSizeEffectMax, "bytes", limits.blockSizeMax),
  ordered: flag(false),
  bufferedAmountLowThreshold: integer(32 * kib, 4 * kib, lowMarkEffectMax, "bytes", mib),
  maxMemoryCacheSlices: integer(12, 1, 64, "chunks"),
  compressionLevel: integer(6, 0, 9, "level"),
  maxFileSize: integer(gib, 1_000_000, 1_000_000_000_000, "bytes"),
  automaticCacheDeletion: flag(false),
  automaticDownload: flag(false),
  /** Accepts pictures of up to 2 MiB automatically from people we met before. */
  automaticPictures: flag(true),
  /** Whether an accepted file stays in this browser until a person saves it, instead of being saved once it is complete. */
  keepReceived: flag(false),
  /** Copies files of up to 64 MiB into this browser when they are offered, so that a reload does not lose them. */
  keepSentFiles: flag(true),
  /** If off, a person may list and request only files that were offered to them or exchanged with them. */
  shareFilesWithRoom: flag(false),
  /** Whether who belongs to a room gets from us what others offered to everyone there, while its author does not give it. */
  passOnFiles: flag(true),
  /** Whether to meet the pages of our network while in no room. */
  nearby: flag(false),
  /**
   * Who may use the permissions that a person granted: everyone, or only those whose safety code was compared. Without a
   * permission nothing happens unasked.
   */
  trust: { schema: v.picklist(["everyone", "verified"]), default: "everyone" } as Option<
    "everyone" | "verified"
  >,
  /** If off, received clipboard texts are dropped, and Ctrl+V outside of a field sends none. */
  enableClipboard: flag(true),
  /** If on, text pasted outside of any field is sent to the clipboard of others without confirmation. */
  pasteUnasked: flag(false),
  /** If off, initials are drawn in this browser: the service would learn the name. */
  avatarService: flag(false),
  enterSends: flag(false),
  /** Whether others learn that we are writing. */
  tellTyping: flag(true),
  /** That of the emoji to choose from. */
  skinTone: { schema: v.picklist(skinTones), default: "none" } as Option<SkinTone>,
  /** Whether to tell of news while the page is hidden, where the browser allows it. */
  notifications: flag(false),
  /** If off, a notification names neither who wrote nor what. */
  notificationContent: flag(true),
  sounds: flag(false),
  videoMaxBitrate: integer(128_000_000, 100_000, 1_000_000_000, "bitsPerSecond"),
  audioMaxBitrate: integer(512_000, 6_000, 2_000_000, "bitsPerSecond"),
  noiseSuppression: flag(true),
  echoCancellation: flag(true),
  autoGainControl: flag(true),
  voiceIsolation: flag(false),
  suppressLocalAudioPlayback: flag(false),
  cameraId: text(null, 512),
  microphoneId: text(null, 512),
  speakerId: text(null, 512),
  /** What one joins a call with: as one left the last one. */
  joinMuted: flag(false),
  joinWithCamera: flag(true),
  cameraPreset: { schema: v.picklist(cameraPresets), default: "standard" } as Option<CameraPreset>,
  screenPreset: { schema: v.picklist(screenPresets), default: "automatic" } as Option<ScreenPreset>,
  servers: {
    schema: serversSchema,
    default: { stuns: ["stun:stun.l.google.com:19302"], turns: [] },
  } satisfies Option<Servers>,
  relayOnly: flag(false),
  shareServersWithOthers: flag(true),
  websocketUrl: {
    schema: v.nullable(v.pipe(v.string(), v.regex(/^wss?:\/\/\S{1,500}$/i))),
    default: null,
  } as Option<string | null>,
  locale: text(null, 35),
  /** A data URL, so that showing it contacts no host. */
  backgroundImage: {
    schema: v.nullable(v.pipe(textUpTo(pictureLengthMax), v.regex(/^data:image\/(?:jpeg|png|webp);base64,/))),
    default: null,
  } as Option<string | null>,
  backgroundImageOpacity: fraction(0.5),
} as const;

/** The name of an option. */
export type OptionName = keyof typeof optionTable;

/** The value of every option. */
export type Options = {
  readonly [Name in OptionName]: (typeof optionTable)[Name] extends Option<infer T> ? T : never;
};

/** Whether a string is the name of an option. */
export function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(optionTable, name);
}

/** Every option at its default. */
export const defaultOptions: Options = Object.fromEntries(
  Object.entries<Option<unknown>>(optionTable).map(([name, option]) => [name, option.default]),
) as Options;
