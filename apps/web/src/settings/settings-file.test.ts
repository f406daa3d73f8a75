import { defaultOptions, type Options, type Profile } from "@warren/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { me } from "../testing/fake-records.ts";
import { planImport, readSettingsFile, withOwnSecrets, writeSettingsFile } from "./settings-file.ts";

const turn = { authMethod: "hmac" as const, url: "turn:relay.example", username: "u", password: "master" };
const options: Options = {
  ...defaultOptions,
  chunkSize: 65_536,
  servers: { stuns: ["stun:a.example"], turns: [turn] },
};
const profile: Profile = {
  roomId: "harbour",
  name: "Okafor",
  clientId: me,
  password: "tidal",
  avatar: null,
  autoJoin: true,
  initialJoin: false,
  createdAt: 0,
};
const everything = { options, profile, theme: "dark" as const };
const nothing = { withPassword: false, withTurnSecrets: false };

describe("a settings file", () => {
  it("round-trips what was written", () => {
    const text = writeSettingsFile(everything, { withPassword: true, withTurnSecrets: true });
    expect(readSettingsFile(text)).toEqual({
      options,
      profile: { name: "Okafor", roomId: "harbour", avatar: null, autoJoin: true, password: "tidal" },
      theme: "dark",
      dropped: [],
    });
  });

  it("contains secrets only if they were chosen, and never the identity", () => {
    const text = writeSettingsFile(everything, nothing);
    for (const secret of ["tidal", "master", me]) expect(text).not.toContain(secret);
    expect(readSettingsFile(text)?.options.servers?.turns).toEqual([{ ...turn, password: "" }]);
    expect(writeSettingsFile(everything, { ...nothing, withPassword: true })).not.toContain("master");
  });

  it("is read for its usable parts, and lists the others", () => {
    const text = JSON.stringify({
      kind: "warren-settings",
      options: { chunkSize: "big", ordered: true, evil: 1 },
      profile: { name: 7, roomId: "quay", avatar: "https://evil.example/me.png", clientId: "x" },
      theme: "neon",
    });
    expect(readSettingsFile(text)).toEqual({
      options: { ordered: true },
      profile: { roomId: "quay" },
      dropped: [
        { name: "chunkSize", reason: "invalid" },
        { name: "evil", reason: "unknown-name" },
        { name: "name", reason: "invalid" },
        { name: "avatar", reason: "invalid" },
        { name: "theme", reason: "invalid" },
      ],
    });
  });

  it("is rejected if it is something else", () => {
    for (const text of ["", "{", "null", "[]", '{"kind":"other"}', "[".repeat(200_000)]) {
      expect(readSettingsFile(text)).toBeNull();
    }
  });

  it("is never harmful, whatever it contains", () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (given, other) => {
        const text = JSON.stringify({
          kind: "warren-settings",
          options: given,
          profile: other,
          theme: other,
        });
        const read = readSettingsFile(text);
        expect(read).not.toBeNull();
        expect({}).not.toHaveProperty("polluted");
      }),
    );
    const polluting = '{"kind":"warren-settings","options":{"__proto__":{"polluted":1}}}';
    expect(readSettingsFile(polluting)?.options).toEqual({});
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("an import", () => {
  it("changes only what differs", () => {
    const read = readSettingsFile(writeSettingsFile(everything, nothing));
    if (read === null) throw new Error("not read");
    expect(planImport(read, everything)).toEqual({ change: { options: {}, profile: {} }, changed: [] });
    const now = { options: defaultOptions, profile: { ...profile, name: "Ada" }, theme: "light" as const };
    expect(planImport(read, now).changed).toEqual(["chunkSize", "servers", "name", "theme"]);
  });

  it("keeps my own secret of a server imported without one", () => {
    const servers = { stuns: [], turns: [{ ...turn, password: "" }] };
    expect(withOwnSecrets(servers, options.servers).turns).toEqual([turn]);
    const elsewhere = { stuns: [], turns: [{ ...turn, password: "", url: "turn:evil.example" }] };
    expect(withOwnSecrets(elsewhere, options.servers)).toEqual(elsewhere);
  });
});
