import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryKeyValueStorage } from "../testing/memory-key-value-storage.ts";
import { defaultOptions, type OptionName, optionTable, repairOptions } from "./options.ts";
import { Settings } from "./settings.ts";

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

  it("passes its own checks with every default", () => {
    for (const [name, option] of Object.entries(optionTable)) {
      expect(option.schema.safeParse(option.default).success, name).toBe(true);
    }
  });

  it("repairs whatever storage holds: good values stay, wrong ones become the default, unknown ones go", () => {
    const repaired = repairOptions({
      chunkSize: 65_536,
      compressionLevel: "9",
      blockSize: -1,
      ordered: true,
      extra: 1,
    });
    expect(repaired).toEqual({ ...defaultOptions, chunkSize: 65_536, ordered: true });
  });

  it("gives valid options for any stored value", () => {
    const names = Object.keys(optionTable);
    const stored = fc.oneof(
      fc.anything(),
      fc.dictionary(fc.constantFrom(...names, "__proto__"), fc.anything()),
    );
    fc.assert(
      fc.property(stored, (value) => {
        const options = repairOptions(value);
        for (const name of names as OptionName[]) {
          expect(optionTable[name].schema.safeParse(options[name]).success).toBe(true);
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

  it("resets one option or all", () => {
    const settings = new Settings(new MemoryKeyValueStorage());
    settings.set("channelsNumber", 4);
    settings.set("ordered", true);
    settings.reset("ordered");
    expect(settings.get()).toEqual({ ...defaultOptions, channelsNumber: 4 });
    settings.reset();
    expect(settings.get()).toEqual(defaultOptions);
  });

  it("starts from defaults when storage does not parse", () => {
    const storage = new MemoryKeyValueStorage();
    storage.write("app_options", "{not json");
    expect(new Settings(storage).get()).toEqual(defaultOptions);
  });
});
