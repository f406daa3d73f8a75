import { expect, it } from "vitest";
import { announcement } from "./announce.ts";

const hint =
  "Browsers allow the clipboard, camera, microphone and installing only over https or at localhost.\n";

it("names only this machine if no other can reach the server", () => {
  expect(announcement({ host: "127.0.0.1", port: 8080 })).toBe("Warren is open at http://localhost:8080\n");
});

it("names the address it listens on, and what browsers require of such an address", () => {
  expect(announcement({ host: "fd00::2", port: 81 })).toBe(`Warren is open at http://[fd00::2]:81\n${hint}`);
});

it("names every address of the network when it listens on all", () => {
  const lines = announcement({ host: "0.0.0.0", port: 8080 }).trimEnd().split("\n");
  expect(lines.shift()).toBe("Warren is open at http://localhost:8080");
  if (lines.length > 0) expect(`${lines.pop()}\n`).toBe(hint);
  for (const line of lines) expect(line).toMatch(/^On your network: http:\/\/[\d.]+:8080$/);
});

it("names the path of the app if it is not the root", () => {
  expect(announcement({ host: "127.0.0.1", port: 8080, basePath: "/warren/" })).toBe(
    "Warren is open at http://localhost:8080/warren/\n",
  );
});

it("names the hosts of the certificate, if there is one, without the default port", () => {
  const certificateHosts = ["warren.example.org", "192.0.2.1"];
  expect(announcement({ host: "0.0.0.0", port: 443, certificateHosts })).toBe(
    "Warren is open at https://warren.example.org\nWarren is open at https://192.0.2.1\n",
  );
  expect(announcement({ host: "127.0.0.1", port: 8443, certificateHosts: [] })).toBe(
    "Warren is open at https://localhost:8443\n",
  );
});
