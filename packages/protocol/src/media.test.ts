import { describe, expect, it } from "vitest";
import { limits } from "./limits.ts";
import type { MediaSource } from "./media.ts";
import { decodePeerMessage } from "./peer-message.ts";
import { peerMessages } from "./testing/samples.ts";

const screen: MediaSource = {
  id: "source-1",
  kind: "screen",
  label: "Report",
  mid: "1",
  width: 1920,
  height: 1080,
};

function decode(type: "media-sources" | "view-sizes", fields: object) {
  const sample = peerMessages.find((message) => message.type === type);
  return decodePeerMessage(JSON.stringify({ ...sample, ...fields }));
}

function received(sources: readonly object[]) {
  const decoded = decode("media-sources", { sources });
  return decoded.ok && decoded.value.type === "media-sources" ? decoded.value.sources : null;
}

const screens = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ ...screen, id: `source-${n}`, mid: String(n) }));

describe("a list of sources", () => {
  it("has at most eight", () => {
    expect(received(screens(limits.mediaSources))).toHaveLength(8);
    expect(received(screens(limits.mediaSources + 1))).toBe(null);
  });

  it.each<[string, readonly object[]]>([
    ["a kind that is none", [{ ...screen, kind: "hologram" }]],
    ["a source without a mid", [{ ...screen, mid: undefined }]],
    ["a mid that is a line of a description", [{ ...screen, mid: "1\r\na=x" }]],
    ["a mid that is too long", [{ ...screen, mid: "1".repeat(17) }]],
    ["a size that is no number", [{ ...screen, width: "1920" }]],
    ["a negative size", [{ ...screen, height: -1 }]],
    ["half a pixel", [{ ...screen, width: 0.5 }]],
    ["a size beyond any screen", [{ ...screen, width: limits.pictureSide + 1 }]],
    ["a label that is no text", [{ ...screen, label: 7 }]],
    ["a label of far too many characters", [{ ...screen, label: "x".repeat(321) }]],
    ["the same id twice", [screen, { ...screen, mid: "2" }]],
    ["the same mid twice", [screen, { ...screen, id: "source-2" }]],
    ["two cameras", screens(2).map((source) => ({ ...source, kind: "camera" }))],
    ["two microphones", screens(2).map((source) => ({ ...source, kind: "microphone" }))],
    ["muted in doubt", [{ ...screen, muted: false }]],
  ])("is refused with %s", (_, sources) => {
    expect(received([screen])).toHaveLength(1);
    expect(received(sources)).toBe(null);
  });

  it("has labels of one line and 80 characters, without invisible or bidirectional characters", () => {
    const labelOf = (label: string) => received([{ ...screen, label }])?.[0]?.label;
    expect(labelOf("\u202Egnp.exe\n\u0000")).toBe("gnp.exe");
    expect(labelOf("\u{1F430}".repeat(81))).toBe("\u{1F430}".repeat(80));
    expect(labelOf("")).toBe("");
  });
});

describe("a list of view sizes", () => {
  it.each<[string, unknown]>([
    ["a size that is no number", [{ id: "source-1", width: null, height: 1 }]],
    ["a negative size", [{ id: "source-1", width: -1, height: 1 }]],
    ["a size beyond any screen", [{ id: "source-1", width: 16_385, height: 1 }]],
    ["a source that is a path", [{ id: "../../etc", width: 1, height: 1 }]],
    ["sizes that are a map", { "source-1": [1, 1] }],
    ["nine sizes", Array(9).fill({ id: "source-1", width: 1, height: 1 })],
  ])("is refused with %s", (_, sizes) => {
    expect(decode("view-sizes", { sizes: [{ id: "source-1", width: 1, height: 1 }] }).ok).toBe(true);
    expect(decode("view-sizes", { sizes }).ok).toBe(false);
  });
});
