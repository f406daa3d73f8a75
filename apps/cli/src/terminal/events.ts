import { type DoctorVerdict, type Route, safetyEmoji } from "@warren/core";
import type { LeftOut } from "../files/picked-paths.ts";
import type { ExitCode } from "./exit-code.ts";
import { formatMoment, formatSize, printable } from "./format.ts";

/** What a command reports. With `--json` each is one line; the names and fields are stable. */
export type CommandEvent =
  /** The link that others open. */
  | { readonly event: "link"; readonly link: string; readonly resumed: boolean }
  | { readonly event: "joined"; readonly room: string }
  /** Somebody can be reached. `safetyCode`: equal on both sides, unless somebody is in the middle. */
  | {
      readonly event: "met";
      readonly id: string;
      readonly name: string;
      readonly verifiable: boolean;
      readonly safetyCode: readonly number[];
      readonly route: Route["kind"] | null;
    }
  /** `done`: whether all that they offered is here. */
  | { readonly event: "lost"; readonly id: string; readonly name: string; readonly done: boolean }
  | { readonly event: "server"; readonly status: "online" | "reconnecting" }
  /** Not sent, and why. */
  | ({ readonly event: "left-out" } & LeftOut)
  /** A file or folder that we offer, or are offered. */
  | ({ readonly event: "offered"; readonly to: string } & Item)
  | ({ readonly event: "offer"; readonly from: string } & Item)
  | ({ readonly event: "progress"; readonly bytes: number; readonly bytesPerSecond: number | null } & Item)
  /** The other side has it, and verified it. */
  | ({ readonly event: "sent"; readonly to: string } & Item)
  /** It is here under `path`; null: it went to stdout. */
  | ({ readonly event: "received"; readonly from: string; readonly path: string | null } & Item)
  | ({ readonly event: "refused"; readonly by: "here" | "there"; readonly peer: string } & Item)
  /** What we were offered does not come any more: its sender stopped that. */
  | ({ readonly event: "withdrawn"; readonly from: string } & Item)
  /** What is waited for. */
  | ({ readonly event: "waiting" } & Waited)
  | { readonly event: "stranger"; readonly id: string; readonly name: string }
  /** `number`: by which a person in a room names it. `writtenAt`: ms since the epoch. `answers`: what it answers. */
  | {
      readonly event: "text";
      readonly number: number | null;
      readonly from: string;
      readonly text: string;
      readonly writtenAt: number;
      readonly edited: boolean;
      readonly answers: Quoted | null;
    }
  /** A text of ours is on its way, and can be named by this number. */
  | { readonly event: "said"; readonly number: number; readonly text: string }
  /** All that somebody has reacted with to a message: nothing once they took it back. */
  | {
      readonly event: "reaction";
      readonly from: string;
      readonly emoji: readonly string[];
      readonly number: number | null;
      readonly to: Quoted;
    }
  /** Somebody deleted a text that was reported. */
  | { readonly event: "deleted"; readonly from: string; readonly number: number | null }
  /** `since`: when their key was confirmed here, as an ISO date. */
  | { readonly event: "trusted"; readonly id: string; readonly name: string; readonly since: string }
  | { readonly event: "distrusted"; readonly id: string; readonly name: string }
  | ({ readonly event: "verdict" } & DoctorVerdict)
  | { readonly event: "error"; readonly code: string; readonly message: string; readonly exitCode: ExitCode };

/** A file or a folder. */
export interface Item {
  readonly name: string;
  readonly sizeBytes: number;
  /** How many files it has; null for a single file. */
  readonly files: number | null;
}

/** What has to happen before a command goes on. */
export type Waited =
  /** The server, or whoever is in the room, has yet to answer. */
  | { readonly for: "join"; readonly host: string }
  /** Somebody in the room has to let us in: too many wrong passwords were tried there. */
  | { readonly for: "approval" }
  /** `minutes`: how long at most, null while it is up to the person there. */
  | ({ readonly for: "rest"; readonly from: string; readonly minutes: number | null } & Item)
  /** They are asked whether they want what we offer. */
  | ({ readonly for: "answer"; readonly from: string } & Item)
  /** For space on a disk, or until all is written to it. `from`: whose it is, null for ours. */
  | ({ readonly for: "space" | "disk"; readonly from: string | null } & Item)
  | { readonly for: "offer"; readonly from: string }
  /** `name`: that of the one who is meant, null for anybody. */
  | { readonly for: "somebody"; readonly name: string | null };

/** A message that another is about: its text or the name of its file, null if it is not here. */
export interface Quoted {
  readonly from: string;
  readonly text: string | null;
}

type Sentences = {
  readonly [K in CommandEvent["event"]]: (event: Extract<CommandEvent, { event: K }>) => string | null;
};

/** A text older than this is shown with its time. */
const recentMs = 10 * 60_000;
const quotedMax = 60;

const routes: Readonly<Record<Route["kind"], string>> = {
  "direct-local": "directly on your network",
  "direct-internet": "directly over the internet",
  relayed: "through a relay",
};

const reasons: Readonly<Record<LeftOut["reason"], string>> = {
  link: "a symbolic link, which is not followed",
  unreadable: "it cannot be read",
  special: "not a file",
};

const sentences: Sentences = {
  link: ({ link, resumed }) =>
    `${resumed ? "Going on where the last run stopped. The link is still" : "Open this link, or pass it to `warren receive`"}:\n\n  ${link}\n`,
  joined: ({ room }) => `In the room ${printable(room)}.`,
  met: ({ name, verifiable, safetyCode, route }) =>
    `Connected to ${printable(name)}${route === null ? "" : `, ${routes[route]}`}.${verifiable ? ` Safety code: ${safetyCodeText(safetyCode)}` : ""}`,
  // Whoever has sent everything leaves, which would read like a loss.
  lost: ({ name, done }) => (done ? null : `${printable(name)} is gone.`),
  server: ({ status }) =>
    status === "online" ? "The server answers again." : "The server does not answer; trying again.",
  "left-out": ({ path, reason }) => `Left out: ${printable(path)} (${reasons[reason]})`,
  offered: ({ to, ...item }) => `Offered to ${printable(to)}: ${itemText(item)}`,
  offer: ({ from, ...item }) => `${printable(from)} wants to send ${itemText(item)}`,
  progress: () => null,
  sent: ({ to, ...item }) => `Sent to ${printable(to)}: ${itemText(item)}`,
  received: ({ from, path, ...item }) =>
    `Received from ${printable(from)}: ${path === null ? itemText(item) : `${printable(path)} (${formatSize(item.sizeBytes)})`}`,
  refused: ({ by, peer, ...item }) =>
    by === "here" ? `Refused: ${itemText(item)}` : `${printable(peer)} refused ${itemText(item)}`,
  withdrawn: ({ from, ...item }) => `${printable(from)} withdrew ${itemText(item)}`,
  waiting: (waited) => {
    switch (waited.for) {
      case "join":
        return `Waiting to join the room at ${waited.host}.`;
      case "approval":
        return "Waiting for somebody in the room to let you in.";
      case "somebody":
        return `Waiting for ${waited.name === null ? "somebody" : printable(waited.name)} to come into the room.`;
      case "offer":
        return `Waiting for ${printable(waited.from)} to send something.`;
      case "answer":
        return `Waiting for ${printable(waited.from)} to accept ${itemText(waited)}.`;
      case "space":
        return waited.from === null
          ? `The disk is full. ${itemText(waited)} goes on by itself once there is space.`
          : `The disk of ${printable(waited.from)} is full. ${itemText(waited)} goes on once there is space.`;
      case "disk":
        return waited.from === null
          ? `Writing ${itemText(waited)} to the disk.`
          : `Waiting for ${printable(waited.from)} to write ${itemText(waited)} to the disk.`;
      case "rest": {
        const limit = waited.minutes === null ? "" : `, for ${waited.minutes} minutes`;
        return `Waiting for ${printable(waited.from)} to go on with ${itemText(waited)}${limit}.`;
      }
    }
  },
  stranger: ({ id, name }) => `Refused ${printable(name)} (${id}), who is not trusted.`,
  text: ({ number, from, text, writtenAt, edited, answers }) => {
    const when = Date.now() - writtenAt < recentMs ? "" : `, ${formatMoment(writtenAt)}`;
    const what = answers?.text == null ? "" : ` (${quotedWords(answers.text)})`;
    const whom = answers === null ? "" : `, to ${printable(answers.from)}${what}`;
    return `${number === null ? "" : `#${number} `}${printable(from)}${when}${whom}${edited ? ", edited" : ""}: ${text.split("\n").map(printable).join("\n  ")}`;
  },
  said: ({ number }) => `That is #${number}.`,
  reaction: ({ from, emoji, number, to }) => {
    const which = number === null ? "" : `#${number} `;
    const what = `${which}${to.text === null ? `a message of ${printable(to.from)}` : quotedWords(to.text)}`;
    const by = printable(from);
    return emoji.length === 0 ? `${by} took back a reaction to ${what}` : `${by} ${emoji.join(" ")} ${what}`;
  },
  deleted: ({ from, number }) => `${printable(from)} deleted ${number === null ? "a text" : `#${number}`}.`,
  trusted: ({ id, name }) => `Trusted: ${printable(name)} (${id})`,
  distrusted: ({ id, name }) => `Not trusted any more: ${printable(name)} (${id})`,
  // People get all of them as one text.
  verdict: () => null,
  error: ({ message }) => message,
};

/** The first words of a text in quotation marks, on one line. */
export function quotedWords(text: string): string {
  const characters = [...printable(text.replaceAll("\n", " "))];
  return `"${characters.slice(0, quotedMax).join("")}${characters.length > quotedMax ? "…" : ""}"`;
}

/** The name of every event. */
export const eventNames: readonly string[] = Object.keys(sentences);

/** An event as a sentence; null if people see it in another way. */
export function sentenceOf<E extends CommandEvent>(event: E): string | null {
  const sentence = sentences[event.event] as (event: CommandEvent) => string | null;
  return sentence(event);
}

/** A safety code as emoji with their names. */
export function safetyCodeText(code: readonly number[]): string {
  return code.map((index) => `${safetyEmoji[index]?.emoji} ${safetyEmoji[index]?.name}`).join(", ");
}

/** An item in words, such as `Harbour (3 files, 12.3 MB)`. */
export function itemText({ name, sizeBytes, files }: Item): string {
  const count = files === null ? "" : `${files} ${files === 1 ? "file" : "files"}, `;
  return `${printable(name)} (${count}${formatSize(sizeBytes)})`;
}
