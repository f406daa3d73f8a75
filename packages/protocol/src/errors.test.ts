import { readdirSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorTexts, formatErrorText, isErrorCode, toWarrenError, WarrenError } from "./errors.ts";
import { check, hostileText, junk } from "./testing/fuzz.ts";

/** The specified texts of transfers, sessions, the cache, data and connections, with named placeholders. */
const specified = [
  "channel {label} closed",
  "channel {label} close",
  "channel {label} error",
  "channel is not open",
  "channel error",
  "channel closed",
  "no channel",
  "Can not get any available channel",
  "connection is closed",
  "transferer is closed",
  "transferer is not in send mode",
  "file transferer is not initialized, can not send file",
  "cache data is incomplete, can not send file",
  "unzip worker is not initialized",
  "send timeout",
  "connect timeout",
  "Connection failed with state: {state}",
  "session {id} already making offer",
  "controller already exists",
  "cache {id} already exists",
  "cache {id} not found",
  "cache {id} info not found",
  "cache {id} is not complete",
  "check message {id} not found",
  "file transfer message fid is undefined",
  "db is not initialized",
  "info is not found",
  "chunkSize is not found",
  "invalid backend type",
  "parseTurnServer: invalid method",
  "parseTurnServer: cloudflare error response: {status}",
  "transfer file info is not set correctly",
  "Missing block {block} in chunk",
  "Please upload a valid image file",
  "Failed to get Canvas context",
  "Failed to load image",
  "Failed to read image file",
  "HTTP error! status: {code}",
  "password length is too short.",
  "Unknown error",
];

/** The code of a folder such as `core/session`, without its tests and subfolders. */
function sourcesIn(folder: string): string {
  const [name = "", ...path] = folder.split("/");
  const home = name === "web" ? "apps/web" : `packages/${name}`;
  const root = new URL(`../../../${[home, "src", ...path].join("/")}/`, import.meta.url);
  const files = readdirSync(root).filter((file) => /(?<!\.test)\.tsx?$/.test(file) && file !== "errors.ts");
  return files.map((file) => readFileSync(new URL(file, root), "utf8")).join("\n");
}

describe("the catalogue", () => {
  it.each(specified)("has the specified text %j", (text) => {
    expect(Object.values(errorTexts)).toContain(text);
  });

  it.each(specified)("says of %j where it is raised, or why it cannot be", (text) => {
    const source = readFileSync(new URL("errors.ts", import.meta.url), "utf8");
    const pattern = /\/\*\* (.+) \*\/\n {2}"?([\w-]+)"?:\s+"(.+)",/g;
    const [, origin = "", code = ""] =
      [...source.matchAll(pattern)].find(([, , , entry]) => entry === text) ?? [];
    if (origin.startsWith("Never: ")) return;
    const folders = origin.match(/(?<=`)[\w/]+(?=`)/g) ?? [];
    expect(folders).not.toEqual([]);
    for (const folder of folders) expect(sourcesIn(folder), folder).toContain(`"${code}"`);
  });

  it.each(["listen", "send", "renegotiate", "reconnect", "connect"])(
    "says that a closed session can not %s",
    (action) => {
      expect(formatErrorText("session-closed", { id: "s", action })).toBe(
        `session s is closed, can not ${action}`,
      );
    },
  );

  it("has a text for an existing connection", () => {
    expect(formatErrorText("already-connected", { id: "s" })).toMatch(
      /^can not initialize connection s.*already connected$/,
    );
  });

  it("has a different text for each error", () => {
    const texts = Object.values(errorTexts);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it("knows its codes and no inherited name", () => {
    expect(Object.keys(errorTexts).every(isErrorCode)).toBe(true);
    for (const name of ["__proto__", "constructor", "toString", "", "nothing"])
      expect(isErrorCode(name)).toBe(false);
  });
});

describe("formatErrorText", () => {
  it("fills each placeholder with its value", () => {
    expect(formatErrorText("channel-closed", { label: "file-1" })).toBe("channel file-1 closed");
    expect(formatErrorText("not-enough-space", { neededBytes: 10, freeBytes: 0 })).toBe(
      "10 bytes needed, 0 free",
    );
  });

  it("leaves a placeholder without a value as it is, and ignores values without a placeholder", () => {
    expect(formatErrorText("channel-closed")).toBe("channel {label} closed");
    expect(formatErrorText("no-channel", { label: "x" })).toBe("no channel");
  });

  it("takes no value from a prototype", () => {
    expect(formatErrorText("channel-closed", Object.create({ label: "inherited" }))).toBe(
      "channel {label} closed",
    );
  });

  it("inserts any text verbatim: its replacement patterns and placeholders have no effect", () => {
    check(
      fc.property(fc.oneof(hostileText, fc.constantFrom("$&", "$1", "$$", "{label}", "{id}")), (label) => {
        expect(formatErrorText("channel-closed", { label })).toBe(["channel ", label, " closed"].join(""));
      }),
      200,
    );
  });
});

describe("WarrenError", () => {
  it("is an error with code, values, text and cause", () => {
    const cause = new Error("why");
    const error = new WarrenError("cache-not-found", { id: "f" }, { cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: "WarrenError",
      code: "cache-not-found",
      values: { id: "f" },
      message: "cache f not found",
      cause,
    });
  });

  it("can be described as data that can be cloned and rebuilt", () => {
    const error = new WarrenError("missing-block", { block: 3 });
    const { code, values } = structuredClone(error.describe());
    expect(new WarrenError(code, values).message).toBe(error.message);
  });
});

describe("toWarrenError", () => {
  it("passes a WarrenError on", () => {
    const error = new WarrenError("no-channel");
    expect(toWarrenError(error, "storage-failed")).toBe(error);
  });

  it("wraps any other thrown value and keeps it as the cause", () => {
    check(
      fc.property(junk, (thrown) => {
        const error = toWarrenError(thrown, "storage-failed", { reason: "disk" });
        expect(error).toMatchObject({ code: "storage-failed", message: "storage failed: disk" });
        expect(error.cause).toBe(thrown);
      }),
      50,
    );
    expect(toWarrenError(undefined).code).toBe("unknown");
  });
});
