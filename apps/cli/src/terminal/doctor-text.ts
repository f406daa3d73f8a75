import type { DoctorCause, DoctorVerdict } from "@warren/core";
import { formatSize } from "./format.ts";

/** What only browsers have. */
type OfPages = `${"page" | "camera" | "microphone" | "local-network"}-${string}`;
type Values = DoctorVerdict["values"];
type Sentence = string | ((values: Values) => string);

/** Each cause, and the next step where something can be done. */
const texts: Readonly<Record<Exclude<DoctorCause, OfPages>, readonly [cause: Sentence, next?: string]>> = {
  "signalling-reached": [({ host, time }) => `${host} answered in ${time} ms.`],
  "signalling-slow": [
    ({ host, time }) => `${host} took ${time} ms to answer.`,
    "Try another network, or stop other programs that use the processor.",
  ],
  "signalling-silent": [
    ({ host }) => `${host} does not answer, so no room can be joined.`,
    "Check the address and the internet connection; a firewall may block it.",
  ],
  "webrtc-blocked": ["WebRTC does not start.", "Install warren again, for this version of Node."],
  "addresses-none": ["This machine has no address.", "Connect it to a network."],
  "addresses-hidden": ["The addresses of this machine are hidden behind random names."],
  "addresses-shown": [({ addresses }) => `The addresses of this machine: ${addresses}.`],
  "stun-none": [
    "No STUN server is named, so machines in other networks cannot reach this one directly.",
    "Name one with --stun.",
  ],
  "stun-answers": [({ server, time }) => `${server} answered in ${time} ms.`],
  "stun-silent": [
    ({ server }) => `${server} does not answer.`,
    "If none answers, this network blocks UDP: ask who runs it, or use another one.",
  ],
  "stun-refused": [({ server, reason }) => `${server} cannot be used: ${reason}.`, "Correct its address."],
  "nat-none": ["No router translates the address of this machine."],
  "nat-same-port": [
    "The router gives one address for everybody: direct connections work with most networks.",
  ],
  "nat-other-port": [
    "The router gives another port for each address: with similar networks, only a relay works.",
    "Use a server with relays (TURN_URLS) over UDP, or a link that brings some, with --link-servers.",
  ],
  "nat-unknown": [
    "Two STUN servers have to answer to tell how the router translates addresses.",
    "To know, name a second one with --stun.",
  ],
  "turn-none": [
    "No relay is known. Where no direct way exists, nobody is met.",
    "Name a server with relays (TURN_URLS) by --server, or a link that brings some, with --link-servers.",
  ],
  "turn-works": [({ server, ways, time }) => `${server} works by ${ways}, in ${time} ms.`],
  "turn-other-way": [
    ({ server, ways }) =>
      `${server} works by ${ways}, but not over UDP as it is set up, which a terminal needs.`,
    "Set it up with its address over UDP as well, such as turn:host:3478.",
  ],
  "turn-silent": [({ server }) => `${server} does not answer.`, "Ask who runs it whether it is up."],
  "turn-sign-in": [({ server }) => `${server} does not accept the user name or password.`, "Correct them."],
  "turn-refused": [({ server, reason }) => `${server} cannot be used: ${reason}.`, "Correct its address."],
  "loopback-fast": [({ speed }) => `Connections within this machine carry ${speed} MB/s.`],
  "loopback-slow": [
    ({ speed }) => `Connections within this machine carry only ${speed} MB/s.`,
    "Stop other programs that use the processor.",
  ],
  "loopback-fails": ["Two connections within this machine do not meet.", "Allow UDP in its firewall."],
  "storage-good": [
    ({ free }) => (free === undefined ? "The disk can be written." : `${formatSize(Number(free))} are free.`),
  ],
  "storage-small": [
    ({ free }) => `Only ${formatSize(Number(free))} are free.`,
    "Free some space on the disk.",
  ],
  "storage-fleeting": ["What is stored may be deleted.", "Set XDG_DATA_HOME to another folder."],
  "storage-slow": ["Files are stored slowly.", "Set XDG_DATA_HOME to another folder."],
  "storage-none": ["Nothing can be stored.", "Set XDG_DATA_HOME to a folder that you may write."],
  unanswered: ["The system gave no answer.", "Try again."],
};

/** A finding in words. */
export function doctorText({ cause, values }: DoctorVerdict): { cause: string; next: string | null } {
  const [sentence = cause, next = null] = Object.entries(texts).find(([name]) => name === cause)?.[1] ?? [];
  return { cause: typeof sentence === "string" ? sentence : sentence(values), next };
}
