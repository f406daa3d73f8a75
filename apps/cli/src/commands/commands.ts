/** An option of a command, as its help shows it and as it is read. */
export interface OptionText {
  /** Absent for a flag. */
  readonly value?: string;
  readonly multiple?: boolean;
  /** The letter by which it is also known. */
  readonly short?: string;
  readonly help: string;
}

/** Every option that a command may have. */
export const optionTexts = {
  server: { value: "URL", help: "The server's address. By default that of WARREN_SERVER." },
  signalling: { value: "URL", help: "Where its rooms are, if not at `ws` below that address (ws: or wss:)." },
  name: { value: "NAME", help: "Your name for others. By default that of WARREN_NAME or of this machine." },
  room: { value: "LINK", help: "Send into this room instead of a new one." },
  to: { value: "NAME", help: "Whom to send to, by name or by the beginning of an id." },
  keep: { help: "Stay, and send to everybody who comes." },
  filename: { value: "NAME", help: "The name of what comes through a pipe. By default `pipe`." },
  dir: { value: "DIR", help: "Where to put what is received. By default this folder." },
  yes: { short: "y", help: "Receive without asking." },
  overwrite: { help: "Replace files of the same name. By default the new one gets a number." },
  always: { help: "Keep running, and take everything from the people that --from names." },
  from: { value: "CONTACT", multiple: true, help: "Somebody trusted here, by name or id. May be repeated." },
  remove: { value: "CONTACT", help: "Trust somebody no longer, by name or by the beginning of an id." },
  reach: {
    value: "SECONDS",
    help: "How long somebody who is there may take to be reached. By default 60.",
  },
  stun: { value: "URL", multiple: true, help: "A STUN server instead of the usual one, or `none`." },
  "link-servers": { help: "Use the STUN and TURN servers that the link names." },
  json: { help: "Report each event as one line of JSON on stdout." },
  help: { short: "h", help: "Show this help." },
  version: { short: "V", help: "Show the version." },
} as const satisfies Readonly<Record<string, OptionText>>;

export type OptionName = keyof typeof optionTexts;
type Value<T> = T extends { readonly multiple: true }
  ? string[]
  : T extends { readonly value: string }
    ? string
    : boolean;
/** The options that were given. */
export type Options = { readonly [Name in OptionName]?: Value<(typeof optionTexts)[Name]> };

export interface CommandText {
  readonly operands: string;
  readonly summary: string;
  readonly paragraphs: readonly string[];
  /** A table below the paragraphs. */
  readonly rows?: readonly (readonly [head: string, text: string])[];
  readonly options: readonly OptionName[];
}

const meeting = [
  "name",
  "signalling",
  "reach",
  "stun",
  "link-servers",
  "json",
] as const satisfies readonly OptionName[];

/** What can be written in a room, each by its name after a slash. A number is that shown before a text. */
export const roomCommandTexts = {
  reply: { operands: "[#NUMBER] TEXT", help: "Answer a text. By default the last one of others." },
  react: {
    operands: "[#NUMBER] EMOJI",
    help: "React to a text, or take that back. By default the last one of others.",
  },
  edit: { operands: "[#NUMBER] TEXT", help: "Replace a text of yours. By default the last one." },
  delete: { operands: "[#NUMBER]", help: "Delete a text of yours for everybody. By default the last one." },
  send: { operands: "PATH", help: "Offer a file or folder to everybody." },
  accept: { operands: "", help: "Take what is offered." },
  refuse: { operands: "", help: "Refuse what is offered." },
  who: { operands: "", help: "List who is here." },
  help: { operands: "", help: "List these commands." },
  quit: { operands: "", help: "Leave." },
} as const satisfies Readonly<Record<string, { readonly operands: string; readonly help: string }>>;

export type RoomCommandName = keyof typeof roomCommandTexts;

/** The commands of a room as they are written, and what each does. */
export const roomCommandRows: readonly (readonly [head: string, text: string])[] = Object.entries(
  roomCommandTexts,
).map(([name, { operands, help }]) => [`/${name} ${operands}`.trim(), help]);

/** Every command. */
export const commandTexts = {
  send: {
    operands: "PATH… | -",
    summary: "Send files, folders, or what comes through a pipe.",
    paragraphs: [
      "Makes a room with a strong random password, shows its link and QR code, waits until somebody opens it, in a browser or with `warren receive`, sends, and ends once the receiver has verified every byte.",
      "Symbolic links and what cannot be read are listed and left out. If it is stopped, the same command goes on from there with the same link.",
    ],
    options: ["room", "to", "keep", "filename", "server", ...meeting],
  },
  receive: {
    operands: "LINK | --always --from CONTACT… [LINK]",
    summary: "Receive what is sent in a room.",
    paragraphs: [
      "Joins the room of the link, asks before it takes anything, and ends once everything is here. A file has its own name only when it is whole. The same command goes on where an earlier one stopped.",
      "With `--dir -` one file goes to stdout while it arrives.",
      "With --always it keeps running in a room of its own, or that of the link, and takes everything from people whose keys were confirmed here with `warren trust`; everybody else is refused.",
    ],
    options: ["dir", "yes", "overwrite", "always", "from", "server", ...meeting],
  },
  room: {
    operands: "[LINK]",
    summary: "Talk in a room, line by line.",
    paragraphs: [
      "Joins the room of the link, or makes one and shows its link. Each line is sent to everybody in the room. A number such as #3 stands before each text that is shown. A line that starts with a slash is a command:",
    ],
    rows: roomCommandRows,
    options: ["dir", "overwrite", "server", ...meeting],
  },
  trust: {
    operands: "[LINK | --remove CONTACT]",
    summary: "Confirm the key of the person who made a link, or list whom you trust.",
    paragraphs: [
      "Meets the creator of the link and remembers their key, if the link names one: you vouch that you got it from them. Otherwise it shows the safety code, which has to be the same on the other side, and asks.",
      "Without a link it lists the people who are trusted on this machine.",
    ],
    options: ["remove", ...meeting],
  },
  doctor: {
    operands: "[LINK]",
    summary: "Find what stands between this machine and others.",
    paragraphs: [
      "Within 15 s it examines the server that is named, or that of the link, the addresses of this machine, STUN, the kind of router, each relay by UDP, TCP and TLS, what connections of this machine carry, and the disk. Each finding says what to do next. The text has no addresses, so that it can be passed on; --json has them.",
    ],
    options: ["server", "signalling", "stun", "link-servers", "json"],
  },
  serve: {
    operands: "",
    summary: "Run a server, with the app for browsers.",
    paragraphs: ["Its settings are environment variables, such as PORT and HOST; see docs/self-hosting.md."],
    options: [],
  },
  completion: {
    operands: "bash | zsh | fish",
    summary: "Print a completion script for a shell.",
    paragraphs: ["For example: source <(warren completion bash)"],
    options: [],
  },
  man: {
    operands: "",
    summary: "Print the manual page.",
    paragraphs: ["For example: warren man > /usr/local/share/man/man1/warren.1"],
    options: [],
  },
} as const satisfies Readonly<Record<string, CommandText>>;

export type CommandName = keyof typeof commandTexts;

export const exitTexts = [
  "done",
  "wrong usage",
  "refused, here or there",
  "wrong password",
  "no path to the server or to the other side",
  "the disk is full or fails, or what was sent has changed",
  "interrupted; the same command goes on",
] as const;

export const environmentTexts: Readonly<Record<string, string>> = {
  WARREN_SERVER: "The server, if --server is absent.",
  WARREN_NAME: "Your name, if --name is absent.",
  WARREN_LOG: "`warn` or `debug`: diagnostics on stderr.",
  XDG_DATA_HOME: "Where the folder `warren` with keys, contacts and history is. By default ~/.local/share.",
  NO_COLOR: "No colours.",
};
