// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { isLocalHost } from "./local-network.ts";

it.each([
  "localhost",
  "app.localhost",
  "nas.local",
  "warren.lan",
  "warren.home.arpa",
  "192.168.1.20",
  "127.0.0.1",
  "[::1]",
  "[fe80::1]",
])("a page at %s is in the local network", (hostname) => expect(isLocalHost(hostname)).toBe(true));

it.each(["warren.example.org", "localhost.example.org", "203.0.113.9", "[2001:db8::1]", "mylan"])(
  "a page at %s is elsewhere",
  (hostname) => expect(isLocalHost(hostname)).toBe(false),
);
