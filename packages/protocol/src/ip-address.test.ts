import { expect, it } from "vitest";
import { isPrivateAddress, readIpAddress } from "./ip-address.ts";

it.each([
  ["203.0.113.9", "203.0.113.9", false],
  ["::ffff:192.168.1.4", "192.168.1.4", true],
  ["10.0.0.1", "10.0.0.1", true],
  ["127.0.0.1", "127.0.0.1", true],
  ["172.31.0.1", "172.31.0.1", true],
  ["172.32.0.1", "172.32.0.1", false],
  ["169.254.1.1", "169.254.1.1", true],
  ["100.64.0.1", "100.64.0.1", true],
  ["100.128.0.1", "100.128.0.1", false],
  ["::1", "::1", true],
  ["fd00::5", "fd00::5", true],
  ["fe80::1%eth0", "fe80::1", true],
  ["2001:0DB8::7", "2001:db8::7", false],
  ["2001:db8:1:2:3:4:192.0.2.1", "2001:db8:1:2:3:4:c000:201", false],
])("reads %s as %s", (text, plain, isPrivate) => {
  const address = readIpAddress(text) ?? expect.fail("no address");
  expect(address.toString()).toBe(plain);
  expect(isPrivateAddress(address)).toBe(isPrivate);
});

it.each([
  "",
  "1.2",
  "0x7f.0.0.1",
  "010.0.0.1",
  "1.2.3.4.5",
  "256.0.0.1",
  "a.local",
  ":::1",
  "[::1]",
  "::1:80:",
])("reads no address in %j", (text) => {
  expect(readIpAddress(text)).toBeNull();
});
