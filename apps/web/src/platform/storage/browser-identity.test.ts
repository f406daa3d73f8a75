import "fake-indexeddb/auto";
import { randomUUID, webcrypto } from "node:crypto";
import { deleteDB } from "idb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { browserIdentity } from "./browser-identity.ts";
import { webStorage } from "./web-storage.ts";

const memory = () =>
  webStorage(
    () => {
      throw new DOMException("denied", "SecurityError");
    },
    () => {},
  );

beforeEach(() => void vi.stubGlobal("crypto", webcrypto));
afterEach(() => void vi.unstubAllGlobals());

describe("the browser's identity", () => {
  it("is the same on every visit, and can be verified", async () => {
    const name = randomUUID();
    const { identity: first } = await browserIdentity(name, memory());
    const { identity: again } = await browserIdentity(name, memory());
    expect(first.verifiable).toBe(true);
    expect(again.clientId).toBe(first.clientId);
    expect(again.publicKey).toEqual(first.publicKey);
  });

  it("is created only once, even by two tabs at the same time", async () => {
    const name = randomUUID();
    const [a, b] = await Promise.all([browserIdentity(name, memory()), browserIdentity(name, memory())]);
    expect(a.identity.clientId).toBe(b.identity.clientId);
  });

  it("is stored again if the browser deleted its databases, unless there is another by then", async () => {
    const name = randomUUID();
    const { identity, restore } = await browserIdentity(name, memory());
    const clientIdNow = async () => (await browserIdentity(name, memory())).identity.clientId;
    await deleteDB(name);
    await restore();
    expect(await clientIdNow()).toBe(identity.clientId);
    await deleteDB(name);
    const other = await clientIdNow();
    await restore();
    expect(await clientIdNow()).toBe(other);
  });

  it("outside a secure context is a stored id that cannot be verified", async () => {
    vi.stubGlobal("crypto", { getRandomValues: webcrypto.getRandomValues.bind(webcrypto) });
    const storage = memory();
    const { identity: first } = await browserIdentity(randomUUID(), storage);
    expect(first.verifiable).toBe(false);
    const { identity: again } = await browserIdentity(randomUUID(), storage);
    expect(again.clientId).toBe(first.clientId);
  });
});
