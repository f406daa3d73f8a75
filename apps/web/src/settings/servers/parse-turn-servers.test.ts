import { describe, expect, it } from "vitest";
import { parseTurnServers } from "./parse-turn-servers.ts";

const turn = { authMethod: "hmac", url: "turn:a.example", username: "u", password: "p" };

describe("TURN servers in a text", () => {
  it("are a single one or a list; without a method they are long-term", () => {
    expect(parseTurnServers(JSON.stringify(turn))).toEqual({ turns: [turn] });
    const { authMethod: _none, ...plain } = turn;
    const other = { ...plain, url: "turns:b.example" };
    expect(parseTurnServers(JSON.stringify([turn, other]))).toEqual({
      turns: [turn, { authMethod: "longterm", ...other }],
    });
  });

  it("are rejected if the method is unknown", () => {
    const unknown = { ...turn, url: "turn:b.example", authMethod: "kerberos" };
    expect(parseTurnServers(JSON.stringify([turn, unknown]))).toEqual({ problem: "method" });
  });

  it.each(["", "turn:a.example", "null", "[]", "7", '{"url":"https://a.example"}', "[null]"])(
    "are not found in %j",
    (text) => {
      expect(parseTurnServers(text)).toEqual({ problem: "json" });
    },
  );
});
