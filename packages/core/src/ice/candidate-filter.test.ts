import { describe, expect, it } from "vitest";
import { FakeClock } from "../testing/fake-clock.ts";
import { CandidateFilter, isUsableCandidate } from "./candidate-filter.ts";

const line = (address: string, { transport = "udp", port = "50000" } = {}) =>
  `candidate:1 1 ${transport} 2113937151 ${address} ${port} typ host generation 0`;
const sdp = (ufrag: string, candidates: readonly string[] = []) =>
  `v=0\r\na=ice-ufrag:${ufrag}\r\n${candidates.map((candidate) => `a=${candidate}\r\n`).join("")}a=end\r\n`;
const own = (number: number) => line(`192.0.2.${number}`);

describe("a candidate", () => {
  it.each([
    "192.0.2.7",
    "10.0.0.1",
    "169.254.3.4",
    "2001:db8::1",
    "fd00::2",
    "fe80::1",
    "4cd1a5f0-6c5b-4c0a-9d8a-0d3f7f3a2b10.local",
  ])("to %s is used", (address) => expect(isUsableCandidate(line(address))).toBe(true));

  it.each([
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "0.1.2.3",
    "224.0.0.251",
    "239.1.1.1",
    "255.255.255.255",
    "256.1.1.1",
    "::",
    "::1",
    "0:0:0:0:0:0:0:1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::127.0.0.1",
    "fe80::1%eth0",
    "intranet.example.org",
    "localhost",
    "2130706433",
    "",
  ])("to %s is not", (address) => expect(isUsableCandidate(line(address))).toBe(false));

  it.each([
    ["TCP", line("192.0.2.7", { transport: "tcp" })],
    ["port 0", line("192.0.2.7", { port: "0" })],
    ["nothing", "candidate:1"],
    ["the end of candidates", ""],
    [
      "another address before its own",
      line("192.0.2.7").replace(" 2113937151", " 1\t127.0.0.1\t1\ttyp\thost"),
    ],
    ["two addresses in two lines", `${line("192.0.2.7")}\r\na=${line("127.0.0.1")}`],
  ])("with %s is not", (_, candidate) => expect(isUsableCandidate(candidate)).toBe(false));
});

describe("the candidates of a side", () => {
  it("are limited to 32 from all sources, not counting unusable ones", () => {
    const filter = new CandidateFilter(new FakeClock());
    const { sdp: kept } = filter.describe(sdp("a", [own(1), line("127.0.0.1"), own(2)]));
    expect(kept).toBe(sdp("a", [own(1), own(2)]));
    const admitted = Array.from({ length: 280 }, (_, port) => filter.admits(own(port % 250)));
    expect(admitted.filter(Boolean)).toHaveLength(30);
  });

  const hidden = (port: number) => `a=${line("127.0.0.1", { port: `${port}` })}`;

  // Chromium ends a line at a line feed only and ignores what follows a candidate's type. Firefox also ends one at a
  // carriage return, and reads names in either case, and without the colon.
  it.each([
    ["a carriage return within the line", `${hidden(1)} foo bar\rbaz\r\n`],
    ["a line after a carriage return", `a=x:y\r${hidden(1)}\r\n`],
    ["two carriage returns at the end", `${hidden(1)}\r\r\n`],
    ["no end of line", hidden(1)],
    ["upper case", `${hidden(1).replace("candidate", "CANDIDATE")}\r\n`],
    ["a space for the colon", `${hidden(1).replace(":", " ")}\r\n`],
    ["a space before the name", `${hidden(1).replace("=", "= ")}\r\n`],
  ])("are found in a description that spells them with %s", (_, spelt) => {
    const { sdp: kept } = new CandidateFilter(new FakeClock()).describe(sdp("a", [own(1)]) + spelt);
    expect(kept.match(/candidate/gi)).toHaveLength(1);
    expect(kept).not.toMatch(/127\.0\.0\.1|\r(?!\n)/);
  });

  it("leave the line that ends them", () => {
    const ended = `${sdp("a", [own(1)])}a=end-of-candidates\r\n`;
    expect(new CandidateFilter(new FakeClock()).describe(ended).sdp).toBe(ended);
  });

  it("are limited to 32 again after a restart, though not after several within 5 s", async () => {
    const clock = new FakeClock();
    const filter = new CandidateFilter(clock);
    const admitted = () => Array.from({ length: 100 }, () => filter.admits(own(1))).filter(Boolean).length;
    expect(filter.describe(sdp("a")).isRestart).toBe(false);
    expect(admitted()).toBe(32);
    expect(filter.describe(sdp("b")).isRestart).toBe(true);
    expect(admitted()).toBe(0);
    await clock.advance(5_000);
    filter.describe(sdp("b"));
    expect(admitted()).toBe(0);
    filter.describe(sdp("c"));
    expect(admitted()).toBe(32);
    filter.describe(sdp("d"));
    expect(admitted()).toBe(0);
  });
});
