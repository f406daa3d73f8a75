import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "./limits.ts";
import {
  canRead,
  decodePeerMessage,
  encodePeerMessage,
  type PeerMessage,
  type PeerMessageOf,
  type PeerMessageType,
} from "./peer-message.ts";
import { check, hostileText } from "./testing/fuzz.ts";
import { alice, bob, file, peerMessages } from "./testing/samples.ts";

const decode = (message: unknown) => decodePeerMessage(JSON.stringify(message));
const takes = (message: unknown) => decode(message).ok;

function exampleOf(type: PeerMessageType): PeerMessage {
  const sample = peerMessages.find((message) => message.type === type);
  if (!sample) throw new Error(`no sample of ${type}`);
  return sample;
}

function received<T extends PeerMessageType>(type: T, fields: object): PeerMessageOf<T> {
  const decoded = decode({ ...exampleOf(type), ...fields });
  if (!decoded.ok) throw decoded.error;
  if (!isOfType(decoded.value, type)) throw new Error(`not a ${type}`);
  return decoded.value;
}

function isOfType<T extends PeerMessageType>(message: PeerMessage, type: T): message is PeerMessageOf<T> {
  return message.type === type;
}

const head = { author: alice, from: 1, whole: 1, n: 1, count: 1, hash: "A".repeat(43) };
const entry = { n: 1, time: 0, name: "Mara", kind: "text", body: "Hello", signature: "A".repeat(86) };

const withChunks = (count: number, chunkSize = limits.chunkSizeMin) => ({
  chunkSize,
  fileSize: count * chunkSize,
});

describe("the envelope of every message", () => {
  const bad: [string, unknown][] = [
    ["id", "short"],
    ["id", "a".repeat(65)],
    ["id", "has space"],
    ["id", "../../../etc"],
    ["id", 12_345_678],
    ["client", "alice"],
    ["client", alice.toUpperCase()],
    ["target", ""],
    ["target", [alice]],
    ["createdAt", -8_640_000_000_000_001],
    ["createdAt", 8_640_000_000_000_001],
    ["createdAt", 1.5],
    ["createdAt", "2026-01-01"],
    ["createdAt", null],
  ];

  it.each(bad)("refuses %s: %j", (field, value) => {
    for (const message of peerMessages) expect(takes({ ...message, [field]: value })).toBe(false);
  });

  it("requires every field", () => {
    for (const message of peerMessages) {
      for (const field of ["id", "client", "target", "createdAt"]) {
        expect(takes({ ...message, [field]: undefined })).toBe(false);
      }
    }
  });
});

describe("a message", () => {
  it.each<[PeerMessageType, string, object]>([
    ["send-text", "no text", { data: undefined }],
    ["send-text", "text in a list", { data: ["text"] }],
    ["send-text", "another scope", { scope: "world" }],
    ["send-text", "a quote in words", { quote: "Hello" }],
    ["send-text", "a quote of nobody", { quote: { id: "m-000001" } }],
    ["send-text", "a quote of an id that is a path", { quote: { client: alice, id: "../../etc" } }],
    ["edit-text", "no text that it is of", { text: undefined }],
    ["edit-text", "the text of somebody else", { text: { client: bob, id: "m-000001" } }],
    ["edit-text", "no new text", { data: undefined }],
    ["delete-text", "no text", { text: undefined }],
    ["delete-text", "all texts", { text: "*" }],
    ["react", "no message", { message: undefined }],
    ["react", "a message of nobody", { message: { id: "m-000001" } }],
    ["react", "a word", { emoji: ["no"] }],
    ["react", "a digit", { emoji: ["1"] }],
    ["react", "markup", { emoji: ["<b>"] }],
    ["react", "nothing in a list", { emoji: [""] }],
    ["react", "two emoji in one", { emoji: ["👍👍"] }],
    ["react", "an emoji with a bidirectional mark", { emoji: ["\u202E👍"] }],
    ["react", "an emoji with many accents", { emoji: ["👍\u0301\u0301"] }],
    ["react", "half an emoji", { emoji: ["\uD83D"] }],
    ["react", "one emoji that is no list", { emoji: "👍" }],
    ["react", "a list that is a map", { emoji: { 0: "👍", length: 1 } }],
    ["typing", "another scope", { scope: "world" }],
    ["send-clipboard", "null", { data: null }],
    ["send-clipboard", "another scope", { scope: "world" }],
    ["send-file", "a file id that is a path", { fid: "../../file" }],
    ["send-file", "a file id of seven characters", { fid: "1234567" }],
    ["send-file", "a negative size", { fileSize: -1 }],
    ["send-file", "a broken size", { fileSize: 0.5 }],
    ["send-file", "a size in text", { fileSize: "1" }],
    ["send-file", "a size past safe integers", { fileSize: 2 ** 53 }],
    [
      "send-file",
      "the greatest safe integer as size",
      { fileSize: 2 ** 53 - 1, chunkSize: limits.chunkSizeMax },
    ],
    ["send-file", "chunks of no bytes", { chunkSize: 0 }],
    ["send-file", "chunks of negative size", { chunkSize: -524_288 }],
    ["send-file", "chunks of a broken size", { chunkSize: 524_288.5 }],
    ["send-file", "a date past the calendar", { lastModified: 1e300 }],
    ["send-file", "a name in an object", { fileName: { toString: "x" } }],
    ["send-file", "no media type at all", { mimeType: undefined }],
    ["send-file", "a sample that is cut short", { sample: "0123456789abcdef" }],
    ["send-file", "a sample that is no digest", { sample: "X".repeat(64) }],
    ["same-file", "no root", { root: undefined }],
    ["same-file", "a root in bytes", { root: [0, 1, 2] }],
    ["same-file", "a root that is too long", { root: "0".repeat(65) }],
    ["send-file", "a root that is no digest", { root: "X".repeat(64) }],
    ["request-file", "no file", { fid: undefined }],
    ["request-file", "the offer of nobody", { original: { client: "nobody", id: "m-000001" } }],
    ["find-file", "no proof", { proof: undefined }],
    ["find-file", "no offer", { original: undefined }],
    ["check-message", "pending in doubt", { pending: false }],
    ["resume-file", "no file", { fid: undefined }],
    ["pause-file", "a file id that is too long", { fid: "f".repeat(65) }],
    ["pause-file", "a reason that is none", { reason: "lunch" }],
    ["cancel-file", "a list of files", { fid: [file.fid] }],
    ["storage", "files that are a map", { data: { 0: file } }],
    ["storage", "one bad file among good ones", { data: [file, { ...file, chunkSize: 1 }] }],
    ["storage", "a file within a list", { data: [[file]] }],
    ["error", "no text", { error: undefined }],
    ["error", "a code that is no text", { code: 7 }],
    ["error", "values in a list", { values: ["f"] }],
    ["error", "a value that is a list", { values: { id: ["f"] } }],
    ["error", "a value without a name", { values: { "": "f" } }],
    ["error", "a value whose name is a path", { values: { "a.b": "f" } }],
    ["error", "a value of 257 characters", { values: { id: "f".repeat(257) } }],
    ["heads", "no heads", { heads: undefined }],
    ["heads", "heads that are a map", { heads: { 0: head } }],
    ["heads", "no members", { members: undefined }],
    ["heads", "a head of nobody", { heads: [{ ...head, author: undefined }] }],
    ["heads", "a head that begins after it is whole", { heads: [{ ...head, from: 3, whole: 2, n: 4 }] }],
    ["heads", "a head that is whole after its end", { heads: [{ ...head, from: 1, whole: 5, n: 4 }] }],
    ["heads", "a head without a hash", { heads: [{ ...head, hash: undefined }] }],
    ["heads", "a member since a word", { members: [{ client: alice, since: "ever" }] }],
    ["heads", "again in doubt", { again: false }],
    ["request-entries", "no author", { author: undefined }],
    ["request-entries", "the entry before the first", { from: 0 }],
    ["request-entries", "half an entry", { until: 1.5 }],
    ["request-entries", "no end", { until: undefined }],
    ["entries", "an author that is nobody", { author: "nobody" }],
    ["entries", "no entries", { entries: undefined }],
    ["entries", "a key that is too short", { key: "MFkw" }],
    ["entries", "an entry without a signature", { entries: [{ ...entry, signature: undefined }] }],
    ["entries", "an entry that is a list", { entries: [[entry]] }],
    ["entries", "an entry about a message of nobody", { entries: [{ ...entry, about: { id: "m-000001" } }] }],
    ["entries", "an entry of a kind in capitals", { entries: [{ ...entry, kind: "TEXT" }] }],
    [
      "entries",
      "an entry by a name with a hidden character",
      { entries: [{ ...entry, name: "Ma\u200Bra" }] },
    ],
    ["entries", "more in doubt", { more: false }],
    ["profile", "no name", { name: undefined }],
    ["profile", "an empty name", { name: "" }],
    ["profile", "a name that cannot be seen", { name: " \u200B\u200D\u2800\u3164" }],
    ["profile", "a name of bidirectional marks", { name: "\u202E\u2066" }],
    ["profile", "an avatar that is no text", { avatar: {} }],
  ])("%s is refused with %s", (type, _, fields) => {
    expect(takes(exampleOf(type))).toBe(true);
    expect(takes({ ...exampleOf(type), ...fields })).toBe(false);
  });

  it.each<[string, number, (length: number) => object]>([
    ["a text in bytes", limits.textBytes, (n) => ({ ...exampleOf("send-text"), data: "x".repeat(n) })],
    ["an edit in bytes", limits.textBytes, (n) => ({ ...exampleOf("edit-text"), data: "x".repeat(n) })],
    [
      "the reactions of one person",
      limits.reactionsPerPerson,
      (n) => ({ ...exampleOf("react"), emoji: Array.from({ length: n }, () => "👍") }),
    ],
    [
      "an emoji, which grows by pairs of a joiner and a pictograph of one unit",
      limits.emojiLength - 1,
      (n) => ({ ...exampleOf("react"), emoji: [`☀${"\u200D☀".repeat(Math.ceil((n - 1) / 2))}`] }),
    ],
    [
      "a clipboard in bytes",
      limits.textBytes,
      (n) => ({ ...exampleOf("send-clipboard"), data: "x".repeat(n) }),
    ],
    [
      "the heads of authors",
      limits.logAuthors,
      (n) => ({ ...exampleOf("heads"), heads: Array(n).fill(head) }),
    ],
    [
      "the members in heads",
      limits.logAuthors,
      (n) => ({ ...exampleOf("heads"), members: Array(n).fill({ client: alice, since: 0 }) }),
    ],
    ["the number of an entry", limits.entryNumber, (n) => ({ ...exampleOf("request-entries"), until: n })],
    [
      "the entries of a page",
      limits.entriesPerPage,
      (n) => ({ ...exampleOf("entries"), entries: Array(n).fill({ ...entry, body: "" }) }),
    ],
    [
      "the body of an entry in bytes",
      limits.textBytes,
      (n) => ({ ...exampleOf("entries"), entries: [{ ...entry, body: "x".repeat(n) }] }),
    ],
    ["a raw file name", 4_096, (n) => ({ ...exampleOf("send-file"), fileName: "x".repeat(n) })],
    ["an original name", 4_096, (n) => ({ ...exampleOf("send-file"), originalName: "x".repeat(n) })],
    ["the chunks of a file", limits.chunksPerFile, (n) => ({ ...exampleOf("send-file"), ...withChunks(n) })],
    [
      "the chunks of a stored file",
      limits.chunksPerFile,
      (n) => ({ ...exampleOf("storage"), data: [{ ...file, ...withChunks(n) }] }),
    ],
    ["the size of a chunk", limits.chunkSizeMax, (n) => ({ ...exampleOf("send-file"), chunkSize: n })],
    [
      "the files of a storage",
      limits.storageEntries,
      (n) => ({ ...exampleOf("storage"), data: Array(n).fill({ ...file, fileName: "a", mimeType: "" }) }),
    ],
    ["an error text", limits.errorTextLength, (n) => ({ ...exampleOf("error"), error: "x".repeat(n) })],
    ["an error code", 64, (n) => ({ ...exampleOf("error"), code: "x".repeat(n) })],
    [
      "a name in characters, not UTF-16 units",
      limits.nameLength,
      (n) => ({ ...exampleOf("profile"), name: "\u{1F430}".repeat(n) }),
    ],
    ["a name", limits.nameLength, (n) => ({ ...exampleOf("profile"), name: "x".repeat(n) })],
    ["a raw avatar", limits.avatarBytes, (n) => ({ ...exampleOf("profile"), avatar: "x".repeat(n) })],
    ["a date", 8_640_000_000_000_000, (n) => ({ ...exampleOf("send-file"), lastModified: n })],
  ])("accepts %s up to %i and not one more", (_, limit, build) => {
    expect(takes(build(limit))).toBe(true);
    expect(takes(build(limit + 1))).toBe(false);
  });

  it("accepts chunks from the smallest size on", () => {
    expect(takes({ ...exampleOf("send-file"), chunkSize: limits.chunkSizeMin })).toBe(true);
    expect(takes({ ...exampleOf("send-file"), chunkSize: limits.chunkSizeMin - 1 })).toBe(false);
  });

  it("rejects a file one byte larger than its maximum number of chunks can hold", () => {
    const fileSize = limits.chunksPerFile * limits.chunkSizeMax;
    expect(takes({ ...exampleOf("send-file"), chunkSize: limits.chunkSizeMax, fileSize })).toBe(true);
    expect(takes({ ...exampleOf("send-file"), chunkSize: limits.chunkSizeMax, fileSize: fileSize + 1 })).toBe(
      false,
    );
  });

  it("counts the bytes of a text, not its characters", () => {
    const text = "\u{1F430}".repeat(limits.textBytes / 4);
    expect(takes({ ...exampleOf("send-text"), data: text })).toBe(true);
    expect(takes({ ...exampleOf("send-text"), data: `${text}x` })).toBe(false);
  });

  it("may describe an empty file", () => {
    expect(takes({ ...exampleOf("send-file"), fileSize: 0 })).toBe(true);
  });

  it("is too large for the wire when escaping makes its text grow", () => {
    const message = received("send-text", { data: "x" });
    const quotes = { ...message, data: '"'.repeat(limits.textBytes) };
    expect(() => encodePeerMessage(quotes)).toThrow(/is over the limit/);
  });
});

describe("a type newer than the protocol's version", () => {
  it.each([
    "edit-text",
    "delete-text",
    "react",
    "typing",
    "ring",
    "heads",
    "request-entries",
    "entries",
  ] as const)("is sent only to those that announce it: %s", (type) => {
    expect(canRead(type, undefined)).toBe(false);
    expect(canRead(type, {})).toBe(false);
    expect(canRead(type, { changes: true, rings: true, roomLog: true })).toBe(true);
  });

  it("is not implied by another announcement, and other types need none", () => {
    expect(canRead("ring", { changes: true })).toBe(false);
    expect(canRead("send-text", undefined)).toBe(true);
  });
});

describe("a message of an earlier version", () => {
  it.each<[PeerMessageType, object]>([
    ["check-message", { mode: "send" }],
    ["request-file", { ...file, resume: true, ranges: [0, [1, 2]] }],
  ])("%s is accepted without its obsolete fields", (type, former) => {
    const now = exampleOf(type);
    expect(decode({ ...former, ...now })).toEqual({ ok: true, value: now });
  });
});

describe("the content of a message is made safe on arrival", () => {
  it("keeps a text unchanged except for making it well formed", () => {
    check(
      fc.property(hostileText, (data) => {
        expect(received("send-text", { data }).data).toBe(data.replace(/\p{Surrogate}/gu, "\uFFFD"));
      }),
      300,
    );
  });

  it("removes terminal control sequences from clipboard text", () => {
    const data = "ls\u001B[2J\u0000 -l\u202E\u2066\r\n\techo \u009B1mé\u200D";
    expect(received("send-clipboard", { data }).data).toBe("ls[2J -l\r\n\techo 1mé\u200D");
  });

  it.each([
    ["../../../etc/passwd", "_.._.._etc_passwd"],
    ["C:\\Windows\\system.ini", "C__Windows_system.ini"],
    ["invoice\u202Efdp.exe", "invoicefdp.exe"],
    ["", "file"],
  ])("turns the file name %j into %j", (fileName, safe) => {
    expect(received("send-file", { fileName }).fileName).toBe(safe);
    expect(received("storage", { data: [{ ...file, fileName }] }).data[0]?.fileName).toBe(safe);
  });

  it.each([
    ["image/PNG", "image/png"],
    ["application/vnd.a+json", "application/vnd.a+json"],
    ["text/html; charset=utf-8", ""],
    ["text/html\n", ""],
    ["../x", ""],
    ["text", ""],
    ["text/", ""],
    [`text/${"x".repeat(limits.mimeTypeLength - 5)}`, `text/${"x".repeat(limits.mimeTypeLength - 5)}`],
    [`text/${"x".repeat(limits.mimeTypeLength - 4)}`, ""],
  ])("turns the media type %j into %j", (mimeType, safe) => {
    expect(received("send-file", { mimeType }).mimeType).toBe(safe);
  });

  const notPictures = [
    "https://tracker.example/a.png",
    "http://192.168.0.1/reboot",
    // The true content: SVG, a page, GIF, a JPEG labelled PNG.
    "data:image/png;base64,PHN2Zz4=",
    "data:image/jpeg;base64,PGI+",
    "data:image/webp;base64,R0lGODlh",
    "data:image/png;base64,/9j/4AAQ",
    "data:image/svg+xml;base64,PHN2Zz4=",
    "data:text/html;base64,PGI+",
    "data:image/png,raw",
    "data:image/png;base64,",
    "data:image/png;base64,iVBORw0KGgo=\n",
    "data:image/png;base64,iVBORw0KGgo A=",
    "DATA:image/png;base64,iVBORw0KGgo=",
    " data:image/png;base64,iVBORw0KGgo=",
    "data:image/png;base64,iVBORw0KGgo====",
    "javascript:alert(1)",
    "blob:null/1",
    "",
    null,
  ];
  it.each(notPictures)("rejects %j as a picture", (url) => {
    expect(received("profile", { avatar: url }).avatar).toBeNull();
    expect(received("send-file", { thumbnail: url }).thumbnail).toBeUndefined();
  });

  it.each([
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==",
    "data:image/jpeg;base64,/9j/4AAQSkZJRg==",
    "data:image/webp;base64,UklGRiQAAABXRUJQ",
  ])("keeps the picture %s", (url) => {
    expect(received("profile", { avatar: url }).avatar).toBe(url);
    expect(received("send-file", { thumbnail: url }).thumbnail).toBe(url);
  });

  it("keeps a thumbnail of up to 8 KiB, and drops a larger one from its offer", () => {
    const thumbnail = "data:image/jpeg;base64,/9j/".padEnd(8_192, "A");
    expect(received("send-file", { thumbnail }).thumbnail).toBe(thumbnail);
    expect(received("send-file", { thumbnail: `${thumbnail}A` })).toEqual(received("send-file", {}));
  });

  it("never loses an offer because of its thumbnail, and never shows a thumbnail that is not a picture", () => {
    const url = fc.string({ unit: "binary" }).map((text) => `data:image/png;base64,iVBORw0KGgo${text}`);
    check(
      fc.property(fc.oneof(fc.anything(), hostileText, url), (thumbnail) => {
        const offer = received("send-file", { thumbnail });
        expect(offer.fid).toBe(file.fid);
        if (offer.thumbnail !== undefined)
          expect(offer.thumbnail).toMatch(/^data:image\/png;base64,iVBORw0KGgo[A-Za-z0-9+/]*={0,2}$/);
      }),
      300,
    );
  });

  it("writes the hidden characters of a file's original name out", () => {
    const originalName = " gpj.\u202Eexe\u2066\u200B:\n\u0007a.jpg ";
    const shown = "gpj.\\u202eexe\\u2066\\u200b:\\u000a\\u0007a.jpg";
    expect(received("send-file", { originalName }).originalName).toBe(shown);
    expect(received("send-file", { originalName: shown }).originalName).toBe(shown);
  });

  it("reduces a name and an error to one clean line", () => {
    expect(received("profile", { name: " Al\u202Eice\u0000\n " }).name).toBe("Alice");
    expect(received("error", { error: "\u001B[31mred\r\n" }).error).toBe("[31mred");
    expect(received("error", { values: { label: "\u202Ea\u0007" } }).values).toEqual({ label: "a" });
  });

  it("accepts no name that is longer than the limit or blank", () => {
    check(
      fc.property(hostileText, (name) => {
        const decoded = decode({ ...exampleOf("profile"), name });
        if (!decoded.ok || decoded.value.type !== "profile") return;
        expect(Array.from(decoded.value.name).length).toBeLessThanOrEqual(limits.nameLength);
        expect(decoded.value.name).toMatch(/[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u);
      }),
      300,
    );
  });
});
