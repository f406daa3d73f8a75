import { expect, it } from "vitest";
import { announcement } from "./announce.ts";

const hint =
  "Browsers allow the clipboard, camera, microphone and installing only over https or at localhost.\n";

it("names this machine alone when nobody else can reach the server", () => {
  expect(announcement("127.0.0.1", 8080)).toBe("Warren is open at http://localhost:8080\n");
});

it("names what it listens on, and what browsers ask of such an address", () => {
  expect(announcement("fd00::2", 80)).toBe(`Warren is open at http://[fd00::2]:80\n${hint}`);
});

it("names every address of the network when it listens on all", () => {
  const lines = announcement("0.0.0.0", 8080).trimEnd().split("\n");
  expect(lines.shift()).toBe("Warren is open at http://localhost:8080");
  if (lines.length > 0) expect(`${lines.pop()}\n`).toBe(hint);
  for (const line of lines) expect(line).toMatch(/^On your network: http:\/\/[\d.]+:8080$/);
});
