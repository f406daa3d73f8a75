/**
 * The parameters of Opus for each kind of sound we send (RFC 7587). Voices are mono, robust against loss (`useinbandfec`)
 * and send nearly nothing in silence (`usedtx`). The sound of a screen is stereo, at up to 128 kbit/s.
 */
const parametersOf: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  speech: { stereo: 0, usedtx: 1, useinbandfec: 1 },
  music: { stereo: 1, usedtx: 0, useinbandfec: 1, maxaveragebitrate: 128_000 },
};

/**
 * A remote description with the parameters of Opus for the tracks we send in its sections, by their `contentHint`. A
 * browser encodes as the other side's description requests, but only we know what a track contains.
 */
export function withOpusParameters(
  sdp: string,
  transceivers: readonly Pick<RTCRtpTransceiver, "mid" | "sender">[],
): string {
  const hints = new Map(transceivers.map(({ mid, sender }) => [mid, sender.track?.contentHint ?? ""]));
  const adjust = (section: string): string => {
    const mid = /^a=mid:(\S+)/m.exec(section)?.[1];
    const wanted = mid === undefined ? undefined : parametersOf[hints.get(mid) ?? ""];
    const opus = /^a=rtpmap:(\d+) opus\/48000/im.exec(section)?.[1];
    if (wanted === undefined || opus === undefined) return section;
    const asked = new RegExp(`^a=fmtp:${opus} ([^\\r\\n]*)`, "m");
    const known = (asked.exec(section)?.[1] ?? "").split(";").map((pair) => pair.trim().split("=", 2));
    const pairs = Object.entries({ ...Object.fromEntries(known.filter(([name]) => name)), ...wanted });
    const line = `a=fmtp:${opus} ${pairs.map(([name, value]) => `${name}=${value}`).join(";")}`;
    return asked.test(section)
      ? section.replace(asked, line)
      : section.replace(/^a=rtpmap:\d+ opus\/48000[^\r\n]*/im, (map) => `${map}\r\n${line}`);
  };
  return sdp
    .split(/(?=^m=)/m)
    .map(adjust)
    .join("");
}
