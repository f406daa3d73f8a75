import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { readClientAddress, toClientAddress } from "./client-address.ts";

function requestFrom(remoteAddress: string, forwardedFor?: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: remoteAddress });
  const request = new IncomingMessage(socket);
  if (forwardedFor !== undefined) request.headers["x-forwarded-for"] = forwardedFor;
  return request;
}

describe("toClientAddress", () => {
  it.each([
    ["203.0.113.9", "203.0.113.9", false],
    ["::ffff:203.0.113.9", "203.0.113.9", false],
    ["192.168.1.4", "192.168.1.4", true],
    ["127.0.0.1", "127.0.0.1", true],
    ["172.32.0.1", "172.32.0.1", false],
    ["::1", "0:0:0:0::/64", true],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", false],
    ["2001:0DB8:0001:0002::7", "2001:db8:1:2::/64", false],
    ["2001:db8::1", "2001:db8:0:0::/64", false],
    ["2001:db8:1:2:3:4:192.0.2.1", "2001:db8:1:2::/64", false],
    ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64", false],
    ["fd00::5", "fd00:0:0:0::/64", true],
    ["fe80::1%eth0", "fe80:0:0:0::/64", true],
    ["", "", false],
  ])("groups %s as %s", (ip, key, isPrivate) => {
    expect(toClientAddress(ip)).toEqual({ key, isPrivate });
  });
});

describe("readClientAddress", () => {
  it("ignores the client's claim if no proxy is trusted", () => {
    expect(readClientAddress(requestFrom("203.0.113.9", "198.51.100.1"), 0).key).toBe("203.0.113.9");
  });

  it("reads the address our own outermost proxy saw, and nothing to its left", () => {
    const forwarded = "10.0.0.1, 198.51.100.7, 192.0.2.50";
    expect(readClientAddress(requestFrom("127.0.0.1", forwarded), 1).key).toBe("192.0.2.50");
    expect(readClientAddress(requestFrom("127.0.0.1", forwarded), 2).key).toBe("198.51.100.7");
  });

  it.each([
    ["203.0.113.7:51234", "203.0.113.7"],
    ["[2001:db8::1]:443", "2001:db8:0:0::/64"],
    ["[2001:db8::1]", "2001:db8:0:0::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
  ])("reads the address in %s", (forwarded, key) => {
    expect(readClientAddress(requestFrom("127.0.0.1", forwarded), 1)).toEqual({ key, isPrivate: false });
  });

  it.each([
    ["is missing", undefined, 1],
    ["is too short", "192.0.2.50", 2],
    ["names no address", "192.0.2.50, unknown", 1],
    ["has an invalid port", "203.0.113.7:x", 1],
  ])(
    "counts all clients of the proxy together if the header %s, and reports that",
    (_how, forwarded, hops) => {
      let unreadable = 0;
      const address = readClientAddress(requestFrom("127.0.0.1", forwarded), hops, () => {
        unreadable += 1;
      });
      expect(address).toEqual({ key: "behind 127.0.0.1", isPrivate: false });
      expect(unreadable).toBe(1);
    },
  );
});
