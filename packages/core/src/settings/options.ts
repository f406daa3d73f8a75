import { limits, z } from "@warren/protocol";

const kib = 1024;
const mib = 1024 * kib;
const gib = 1024 * mib;

/** What a number option counts; the interface shows it behind the value. */
export type OptionUnit = "bytes" | "channels" | "chunks" | "level" | "bitsPerSecond" | "share";

/** One option: how a value is checked, what it is by default, and for numbers the range that has an effect, and the unit. */
export interface Option<T> {
  readonly schema: z.ZodMiniType<T>;
  readonly default: T;
  readonly range?: { readonly min: number; readonly max: number; readonly unit: OptionUnit };
}

/** @param storedMax how large a value storage may hold; what is above `max` counts as `max`. */
const integer = (
  value: number,
  min: number,
  max: number,
  unit: OptionUnit,
  storedMax = max,
): Option<number> => ({
  schema: z.int().check(z.gte(min), z.lte(storedMax)),
  default: value,
  range: { min, max, unit },
});
const share = (value: number): Option<number> => ({
  schema: z.number().check(z.gte(0), z.lte(1)),
  default: value,
  range: { min: 0, max: 1, unit: "share" },
});
const flag = (value: boolean): Option<boolean> => ({ schema: z.boolean(), default: value });
const text = (value: string | null, maxLength: number): Option<string | null> => ({
  schema: z.nullable(z.string().check(z.minLength(1), z.maxLength(maxLength))),
  default: value,
});

/** Larger blocks are cut to this: with its header one stays below 64 KiB, the frame every browser takes. */
export const blockSizeEffectMax = 63 * kib;
/** A higher low mark counts as this: deeper send queues slow a transfer down. */
export const lowMarkEffectMax = 64 * kib;

/** The address of a STUN server. */
export const stunUrlSchema = z.string().check(z.regex(/^stuns?:\S{1,506}$/i));

/** A TURN server with all its fields. */
export const turnServerSchema = z.object({
  authMethod: z.enum(["hmac", "longterm", "cloudflare"]),
  url: z.string().check(z.regex(/^turns?:\S{1,506}$/i)),
  username: z.string().check(z.maxLength(512)),
  password: z.string().check(z.maxLength(512)),
});
/** A TURN server and how its credentials are made (SPEC §3). */
export type TurnServer = z.infer<typeof turnServerSchema>;

/** How many STUN servers there can be, and as many TURN servers. */
export const serverCountMax = 8;

const serversSchema = z.object({
  stuns: z.array(stunUrlSchema).check(z.maxLength(serverCountMax)),
  turns: z.array(turnServerSchema).check(z.maxLength(serverCountMax)),
});
/** The servers that help browsers find a route to each other. */
export type Servers = z.infer<typeof serversSchema>;

/** Characters of a background picture's data URL. */
export const pictureLengthMax = 2 * mib;

/** What a person wants of a screen: as the browser sees fit, sharp text, or smooth motion. */
export const screenPresets = ["automatic", "text", "motion"] as const;
export type ScreenPreset = (typeof screenPresets)[number];

/** How large a camera is: 360, 720 or 1080 lines. */
export const cameraPresets = ["low", "standard", "high"] as const;
export type CameraPreset = (typeof cameraPresets)[number];

/**
 * Every option of the app with its check, default and range: the single place that knows them.
 * Defaults are SPEC §9's. Null means "as the platform or the page decides".
 */
export const optionTable = {
  channelsNumber: integer(1, 1, 8, "channels"),
  chunkSize: integer(512 * kib, limits.chunkSizeMin, limits.chunkSizeMax, "bytes"),
  blockSize: integer(32 * kib, limits.blockSizeMin, blockSizeEffectMax, "bytes", limits.blockSizeMax),
  ordered: flag(false),
  bufferedAmountLowThreshold: integer(32 * kib, 4 * kib, lowMarkEffectMax, "bytes", mib),
  maxMemoryCacheSlices: integer(12, 1, 64, "chunks"),
  compressionLevel: integer(6, 0, 9, "level"),
  maxFileSize: integer(gib, mib, 1024 * gib, "bytes"),
  automaticCacheDeletion: flag(false),
  automaticDownload: flag(false),
  /** Accepts pictures of up to 2 MiB unasked, of people whose safety code was compared. */
  automaticPictures: flag(false),
  /** Copies files of up to 64 MiB into this browser when they are offered, so that a reload does not lose them. */
  keepSentFiles: flag(true),
  /** Off, a person may list and ask for what was offered to them or passed between the two, and nothing else. */
  shareFilesWithRoom: flag(false),
  /**
   * Whose files and clipboard text anything may be done with unasked. Nothing is until a person turns on automatic
   * download or allows it to somebody, so that choice counts for whoever is in the room unless it is narrowed here.
   */
  trust: { schema: z.enum(["everyone", "verified"]), default: "everyone" } as Option<"everyone" | "verified">,
  enableClipboard: flag(true),
  /** On, what is pasted outside of every field goes to the clipboard of others without a question. */
  pasteUnasked: flag(false),
  /** Off, initials are drawn in this browser: the service would hear the name. */
  avatarService: flag(false),
  enterSends: flag(false),
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
  cameraPreset: { schema: z.enum(cameraPresets), default: "standard" } as Option<CameraPreset>,
  screenPreset: { schema: z.enum(screenPresets), default: "automatic" } as Option<ScreenPreset>,
  servers: {
    schema: serversSchema,
    default: { stuns: ["stun:stun.l.google.com:19302"], turns: [] },
  } satisfies Option<Servers>,
  relayOnly: flag(false),
  shareServersWithOthers: flag(true),
  websocketUrl: {
    schema: z.nullable(z.string().check(z.regex(/^wss?:\/\/\S{1,500}$/i))),
    default: null,
  } as Option<string | null>,
  locale: text(null, 35),
  /** A data URL, so that drawing it asks no host for anything. */
  backgroundImage: {
    schema: z.nullable(
      z.string().check(z.maxLength(pictureLengthMax), z.regex(/^data:image\/(?:jpeg|png|webp);base64,/)),
    ),
    default: null,
  } as Option<string | null>,
  backgroundImageOpacity: share(0.5),
} as const;

/** The name of an option. */
export type OptionName = keyof typeof optionTable;

/** The value of every option. */
export type Options = {
  readonly [Name in OptionName]: (typeof optionTable)[Name] extends Option<infer T> ? T : never;
};

/** Whether a text names an option. */
export function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(optionTable, name);
}

/** Every option at its default. */
export const defaultOptions: Options = Object.fromEntries(
  Object.entries<Option<unknown>>(optionTable).map(([name, option]) => [name, option.default]),
) as Options;
