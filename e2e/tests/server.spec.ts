import { deliverText } from "../support/conversation.ts";
import { expect, test } from "../support/fixtures.ts";
import { chooseFrom } from "../support/menu.ts";
import { endOfSocket } from "../support/raw-socket.ts";
import { dismiss, meet } from "../support/room.ts";

const badFrame = 4400;
const tooLarge = 1009;
const hostileFrames: readonly (readonly [what: string, frame: string | Buffer, code: number])[] = [
  ["words", "hello there", badFrame],
  ["broken JSON", '{"type":"join",', badFrame],
  ["JSON that is no frame", '{"type":"dance"}', badFrame],
  ["JSON that is no object", "null", badFrame],
  ["bytes", Buffer.from([0, 1, 2, 3]), badFrame],
  ["a frame over 64 KiB", JSON.stringify({ type: "ping", more: "x".repeat(65 * 1024) }), tooLarge],
  ["a frame of 8 MiB", "x".repeat(8 * 1024 * 1024), tooLarge],
];

test("a socket that sends invalid data is closed with a clear code, and others are unaffected", async ({
  newPerson,
  server,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meet([ada, bo], { room });
  await deliverText(ada.page, bo.page, "Before the invalid frames");

  for (const [what, frame, code] of hostileFrames) {
    expect((await endOfSocket(server.url, frame)).code, what).toBe(code);
  }

  await deliverText(ada.page, bo.page, "After the invalid frames");
  await deliverText(bo.page, ada.page, "All well here");
  await expect(ada.page.getByText("Warren's server does not answer.")).toHaveCount(0);
});

test("a complete session contacts no host but the server", async ({ newPerson, server, room }) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meet([ada, bo], { room, password: "a password" });
  await deliverText(ada.page, bo.page, "See https://example.org/picture.png");
  await ada.page.getByRole("button", { name: "Share this room" }).click();
  const share = ada.page.getByRole("dialog", { name: "Share this room" });
  await expect(share).toBeVisible();
  await dismiss(share);
  await chooseFrom(bo.page.getByRole("button", { name: "Room menu" }), "Settings of this room");
  await expect(bo.page.getByRole("dialog", { name: room })).toBeVisible();

  for (const { requests } of [ada, bo]) {
    expect(requests).toContain(`${server.url.replace("http", "ws")}/ws`);
    expect(requests.some((address) => address.startsWith(`${server.url}/assets/`))).toBe(true);
    const hosts = new Set(requests.map((address) => new URL(address).host));
    expect([...hosts]).toEqual([new URL(server.url).host]);
  }
});

function readPolicy(policy: string | null): ReadonlyMap<string, readonly string[]> {
  const directives = (policy ?? "").split(";").map((directive) => directive.trim().split(/\s+/));
  return new Map(directives.map(([name = "", ...sources]) => [name, sources]));
}

test("every response has the security headers", async ({ server }) => {
  const page = await (await fetch(server.url)).text();
  const [, script = ""] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? [];
  expect(script).not.toBe("");

  for (const path of ["/", "/client/anyone/chat", script, "/icon.svg", "/no-such-file.js", "/healthz"]) {
    const { headers, status } = await fetch(server.url + path);
    expect(status, path).toBe(path === "/no-such-file.js" ? 404 : 200);
    expect(headers.get("x-content-type-options"), path).toBe("nosniff");
    expect(headers.get("referrer-policy"), path).toBe("no-referrer");
    expect(headers.get("cross-origin-opener-policy"), path).toBe("same-origin");
    expect(headers.get("permissions-policy"), path).toContain("geolocation=()");
    const text = headers.get("content-security-policy");
    expect(text, path).not.toMatch(/unsafe-(?:inline|eval|hashes)|\*/);
    const policy = readPolicy(text);
    expect(policy.get("default-src"), path).toEqual(["'none'"]);
    expect(policy.get("script-src"), path).toEqual(["'self'"]);
    expect(policy.get("style-src"), path).toEqual(["'self'"]);
    expect(policy.get("object-src"), path).toEqual(["'none'"]);
    expect(policy.get("base-uri"), path).toEqual(["'none'"]);
    expect(policy.get("form-action"), path).toEqual(["'none'"]);
    expect(policy.get("frame-ancestors"), path).toEqual(["'none'"]);
    expect(policy.get("require-trusted-types-for"), path).toEqual(["'script'"]);
  }
  expect((await fetch(server.url)).headers.get("cache-control")).toBe("no-cache");
  expect((await fetch(server.url + script)).headers.get("cache-control")).toContain("immutable");
});
