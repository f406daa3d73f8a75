// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { sessionKeyValueStorage } from "../../platform/storage/web-storage.ts";
import { RoomServers } from "./room-servers.ts";

const own = { stuns: ["stun:own.example"], turns: [] };
const brought = {
  stuns: ["stun:new.example"],
  turns: [{ authMethod: "longterm" as const, url: "turn:new.example", username: "u", password: "p" }],
};

describe("the servers of a room", () => {
  it("are our own and those accepted for this room, also after a reload of the tab", () => {
    new RoomServers(sessionKeyValueStorage()).allow("quay", brought);
    const servers = new RoomServers(sessionKeyValueStorage());
    expect(servers.merge(own, "quay")).toEqual({
      stuns: [...own.stuns, ...brought.stuns],
      turns: brought.turns,
    });
    expect(servers.merge(own, "quay")).toBe(servers.merge(own, "quay"));
  });

  it("are only our own in any other room", () => {
    const servers = new RoomServers(sessionKeyValueStorage());
    servers.allow("quay", brought);
    expect(servers.merge(own, "harbour")).toBe(own);
  });

  it("are only our own if the tab's stored list is damaged", () => {
    const storage = sessionKeyValueStorage();
    storage.write("room_servers", '{"roomId":"quay","servers":{"stuns":["https://evil.example"]}}');
    expect(new RoomServers(storage).merge(own, "quay")).toBe(own);
    storage.write("room_servers", "{");
    expect(new RoomServers(storage).merge(own, "quay")).toBe(own);
  });
});
