import { v } from "@warren/protocol";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { MemoryKeyValueStorage } from "../shared/storage/memory-key-value-storage.ts";
import { defaultOptions, type OptionName, optionTable } from "./options.ts";
import { readOptions } from "./read-options.ts";
import { optionsKey, Settings } from "./settings.ts";

describe("options", () => {
  it("has the specification's defaults", () => {
    expect(defaultOptions).toMatchObject({
      chunkSize: 524_288,
      blockSize: 32_768,
      bufferedAmountLowThreshold: 32_768,
      maxMemoryCacheSlices: 12,
      channelsNumber: 1,
      ordered: false,
      compressionLevel: 6,
      maxFileSize: 1_073_741_824,
      videoMaxBitrate: 128_000_000,
      audioMaxBitrate: 512_000,
      backgroundImageOpacity: 0.5,
      automaticDownload: false,
      shareServersWithOthers: true,
    });
    expect(defaultOptions.servers.turns).toEqual([]);
    expect(defaultOptions.servers.stuns).toHaveLength(1);
  });

  it("has a valid default for every option", () => {
    for (const [name, option] of Object.entries(optionTable)) {
      expect(v.is(option.schema, option.default), name).toBe(true);
    }
  });
});

describe("options from outside", () => {
  it("are read if valid; invalid ones are reported and left out", () => {
    const given = { chunkSize: 65_536, compressionLevel: "9", blockSize: -1, ordered: true, extra: 1 };
    expect(readOptions(given)).toEqual({
      options: { chunkSize: 65_536, ordered: true },
      dropped: [
        { name: "compressionLevel", reason: "invalid" },
        { name: "blockSize", reason: "invalid" },
        { name: "extra", reason: "unknown-name" },
      ],
    });
  });

  it("keep usable servers, each once, and report unknown credential types", () => {
    const turn = { authMethod: "hmac", url: "turn:a.test", username: "u", password: "p" };
    const stuns = ["stun:a.test", "https://evil.test", "stun:a.test"];
    const turns = [turn, { ...turn, authMethod: "magic" }, turn, "turn:b.test"];
    expect(readOptions({ servers: { stuns, turns } })).toEqual({
      options: { servers: { stuns: ["stun:a.test"], turns: [turn] } },
      dropped: [
        { name: "servers", reason: "invalid" },
        { name: "servers", reason: "invalid-turn-method" },
        { name: "servers", reason: "invalid-turn-method" },
      ],
    });
  });

  it("have no background picture that another host would serve", () => {
    expect(readOptions({ backgroundImage: "https://evil.test/picture.png" }).options).toEqual({});
    const backgroundImage = "data:image/webp;base64,UklGRg==";
    expect(readOptions({ backgroundImage }).options).toEqual({ backgroundImage });
  });

  it("are valid for any input", () => {
    const names = Object.keys(optionTable);
    const given = fc.oneof(
      fc.anything(),
      fc.dictionary(fc.constantFrom(...names, "__proto__"), fc.anything()),
    );
    fc.assert(
      fc.property(given, (value) => {
        for (const [name, read] of Object.entries(readOptions(value).options)) {
          expect(v.is(optionTable[name as OptionName].schema, read)).toBe(true);
        }
      }),
    );
  });
});

describe("settings", () => {
  it("keeps a changed option for the next visit", () => {
    const storage = new MemoryKeyValueStorage();
    new Settings(storage).set("compressionLevel", 0);
    expect(new Settings(storage).get().compressionLevel).toBe(0);
  });

  it("refuses a value out of range and changes nothing", () => {
    const settings = new Settings(new MemoryKeyValueStorage());
    expect(() => settings.set("compressionLevel", 10)).toThrow("compressionLevel");
    expect(settings.get()).toEqual(defaultOptions);
  });

  it("changes several options at once, or none of them", () => {
    const settings = new Settings(new MemoryKeyValueStorage());
    settings.update({ channelsNumber: 4, ordered: true });
    expect(() => settings.update({ channelsNumber: 2, compressionLevel: 10 })).toThrow("compressionLevel");
    expect(settings.get()).toEqual({ ...defaultOptions, channelsNumber: 4, ordered: true });
  });

  it("uses the default for a stored value of a wrong type, and reports it", () => {
    const storage = new MemoryKeyValueStorage();
    storage.write("app_options", JSON.stringify({ channelsNumber: "4", ordered: true }));
    const settings = new Settings(storage);
    expect(settings.get()).toEqual({ ...defaultOptions, ordered: true });
    expect(settings.dropped).toEqual([{ name: "channelsNumber", reason: "invalid" }]);
  });

  it("resets one option or all", () => {
    const settings = new Settings(new MemoryKeyValueStorage());
    settings.set("channelsNumber", 4);
    settings.set("ordered", true);
    settings.reset("ordered");
    expect(settings.get()).toEqual({ ...defaultOptions, channelsNumber: 4 });
    settings.reset();
    expect(settings.get()).toEqual(defaultOptions);
  });

  it("starts with defaults when storage does not parse", () => {
    const storage = new MemoryKeyValueStorage();
    storage.write("app_options", "{not json");
    expect(new Settings(storage).get()).toEqual(defaultOptions);
  });

  const picture = "data:image/webp;base64,UklGRg==";

  it("keeps the background picture for the next visit, and writes it only when it changes", () => {
    const storage = new MemoryKeyValueStorage();
    new Settings(storage).set("backgroundImage", picture);
    const settings = new Settings(storage);
    expect(settings.get().backgroundImage).toBe(picture);
    const write = vi.spyOn(storage, "write");
    settings.set("backgroundImageOpacity", 0.25);
    settings.reset("backgroundImageOpacity");
    expect(write.mock.calls.filter(([, value]) => value.includes(picture))).toEqual([]);
    settings.reset("backgroundImage");
    expect(new Settings(storage).get().backgroundImage).toBeNull();
  });

  it("finds the picture where earlier versions stored it, and keeps it through the next change", () => {
    const storage = new MemoryKeyValueStorage();
    storage.write(optionsKey, JSON.stringify({ ...defaultOptions, backgroundImage: picture }));
    const settings = new Settings(storage);
    settings.set("ordered", true);
    expect(storage.read(optionsKey)).not.toContain(picture);
    expect(new Settings(storage).get()).toEqual({
      ...defaultOptions,
      ordered: true,
      backgroundImage: picture,
    });
    settings.reset();
    expect(new Settings(storage).get()).toEqual(defaultOptions);
  });

  it("adopts a picture that another tab has stored or removed", () => {
    const storage = new MemoryKeyValueStorage();
    const [one, other] = [new Settings(storage), new Settings(storage)];
    one.set("backgroundImage", picture);
    other.reread();
    expect(other.get().backgroundImage).toBe(picture);
    one.reset("backgroundImage");
    other.reread();
    other.set("ordered", true);
    expect(new Settings(storage).get()).toEqual({ ...defaultOptions, ordered: true });
  });

  it("ignores a stored picture that is none", () => {
    const storage = new MemoryKeyValueStorage();
    storage.write("background_image", "https://evil.test/picture.png");
    const settings = new Settings(storage);
    expect(settings.get()).toEqual(defaultOptions);
    expect(settings.dropped).toEqual([{ name: "backgroundImage", reason: "invalid" }]);
  });
});
