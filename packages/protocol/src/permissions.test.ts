import { expect, it } from "vitest";
import { decodePeerMessage } from "./peer-message.ts";
import { packPermissions, unpackPermissions } from "./permissions.ts";
import { peerMessages } from "./testing/samples.ts";

it("packs the permissions of files in order, and unpacks them", () => {
  const bits = [0o644, 0o644, 0o755, 0o600, 0o600];
  expect(packPermissions(bits)).toEqual([
    [0o644, 2],
    [0o755, 1],
    [0o600, 2],
  ]);
  expect([...unpackPermissions(packPermissions(bits))]).toEqual(bits);
});

it("packs none where a file has none, and where they differ too often for an offer", () => {
  expect(packPermissions([])).toBeUndefined();
  expect(packPermissions([0o644, undefined])).toBeUndefined();
  const mixed = (files: number) => Array.from({ length: files }, (_, at) => (at % 2 ? 0o644 : 0o755));
  expect(packPermissions(mixed(1_024))).toHaveLength(1_024);
  expect(packPermissions(mixed(1_025))).toBeUndefined();
  expect([...unpackPermissions(undefined)]).toEqual([]);
});

const offer = peerMessages.find(({ type }) => type === "send-file");
const read = (permissions: unknown) => decodePeerMessage(JSON.stringify({ ...offer, permissions }));

it.each([
  [[[0o4755, 1]]],
  [[[-1, 1]]],
  [[[0o644, 0]]],
  [[[0o644]]],
  ["755"],
  [Array(1_025).fill([0o644, 1])],
])("are dropped and the offer is kept if they are %j", (permissions) => {
  expect(read(permissions)).toEqual({ ok: true, value: offer });
});

it("are read as they are otherwise", () => {
  expect(read([[0o755, 1]])).toMatchObject({ value: { permissions: [[0o755, 1]] } });
});
