import { describe, expect, it } from "vitest";
import { MemoryKeyValueStorage } from "../shared/storage/memory-key-value-storage.ts";
import { ProfileService, randomName, randomRoomId } from "./profile.ts";

const now = Date.UTC(2026, 0, 2);
const clientId = "00000000-0000-4000-8000-000000000001";

describe("profile", () => {
  it("starts with a random room and name, an id, and no password or picture", () => {
    const profile = new ProfileService(new MemoryKeyValueStorage(), clientId, now).get();
    expect(profile.roomId).toMatch(/^[a-z]+$/);
    expect(profile.name).toMatch(/^[A-Z][a-z]+$/);
    expect(profile).toMatchObject({
      password: null,
      avatar: null,
      autoJoin: false,
      initialJoin: false,
      createdAt: now,
    });
  });

  it("is the same at the next visit", () => {
    const storage = new MemoryKeyValueStorage();
    const first = new ProfileService(storage, clientId, now).get();
    expect(new ProfileService(storage, clientId, now + 1).get()).toEqual(first);
  });

  it("keeps valid fields and repairs invalid ones", () => {
    const storage = new MemoryKeyValueStorage();
    storage.write("profile", JSON.stringify({ roomId: "harbour", name: 7, clientId: "me", autoJoin: "yes" }));
    const profile = new ProfileService(storage, clientId, now).get();
    expect(profile.roomId).toBe("harbour");
    expect(profile.name).not.toBe("");
    expect(profile.clientId).toBe(clientId);
    expect(profile.autoJoin).toBe(false);
  });

  it("treats an empty password as none and trims the room", () => {
    const service = new ProfileService(new MemoryKeyValueStorage(), clientId, now);
    service.update({ roomId: "  harbour ", password: "" });
    expect(service.get()).toMatchObject({ roomId: "harbour", password: null });
  });

  it("refuses an empty room or name and changes nothing", () => {
    const service = new ProfileService(new MemoryKeyValueStorage(), clientId, now);
    const before = service.get();
    expect(() => service.update({ roomId: " " })).toThrow("roomId");
    expect(() => service.update({ name: "" })).toThrow("name");
    expect(service.get()).toEqual(before);
  });

  it("picks rooms and names from more than a few words", () => {
    expect(new Set(Array.from({ length: 200 }, randomRoomId)).size).toBeGreaterThan(50);
    expect(new Set(Array.from({ length: 200 }, randomName)).size).toBeGreaterThan(50);
  });
});
