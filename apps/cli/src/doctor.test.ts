import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Stage } from "./testing/program.ts";

describe("warren doctor", () => {
  const stage = new Stage();
  let url: string;
  beforeAll(async () => {
    ({ url } = await stage.server());
  });
  afterAll(() => stage.close());
  const run = (...args: string[]) => stage.run(["doctor", ...args], { data: stage.person() });

  it("finds what works, as text without addresses", async () => {
    const program = run("--server", url, "--stun", "none");
    expect(await program.exit()).toBe(0);
    const text = String(program.stdout);
    expect(text).toMatch(
      /^\+ signalling: 127\.\*\.\*\.\*:\d+ answered in \d+ ms\.\n\+ addresses: The addresses of this machine: /,
    );
    expect(text).toContain("! stun: No STUN server is named");
    expect(text).toContain("    Name one with --stun.\n");
    expect(text).toMatch(/loopback: Connections within this machine carry/);
    expect(text).not.toMatch(/\d+\.\d+\.\d+\.\d+/);
    expect(text).not.toMatch(/page|camera|microphone/);
  });

  it("ends with 4 if the server does not answer, and names every other finding", async () => {
    const program = run("--server", "http://127.0.0.1:9", "--stun", "stun:127.0.0.1:9", "--json");
    expect(await program.exit()).toBe(4);
    const causes = program.lines.filter(({ event }) => event === "verdict").map(({ cause }) => cause);
    for (const cause of ["signalling-silent", "stun-silent", "addresses-shown", "storage-good"])
      expect(causes).toContain(cause);
    expect(program.lines.at(-1)).toMatchObject({ event: "error", exitCode: 4 });
  });

  it("works without a server, and refuses operands", async () => {
    expect(await run("--stun", "none").exit()).toBe(0);
    const wrong = run("harbour");
    expect(await wrong.exit()).toBe(1);
    expect(wrong.stderr).toContain("takes no operands");
  });
});
