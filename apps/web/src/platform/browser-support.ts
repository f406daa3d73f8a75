/** Why Warren cannot run in a browser (SPEC §5). */
export type UnsupportedReason =
  | {
      readonly code: "browser_version_too_low";
      readonly browser: string;
      readonly version: string;
      readonly minimum: string;
    }
  | { readonly code: "browser_does_not_support_webrtc" };

interface KnownBrowser {
  readonly name: string;
  /** Finds major and minor version in a user agent string. */
  readonly version: RegExp;
  readonly minimum: readonly [major: number, minor: number];
}

/** SPEC §5's minimums. The first that matches counts: most browsers name others behind themselves. */
const knownBrowsers: readonly KnownBrowser[] = [
  // On iOS every browser is the system's engine, whatever its own name and version.
  { name: "iOS", version: /(?:iPhone|iPad|iPod).*? OS (\d+)(?:_(\d+))?/, minimum: [13, 0] },
  { name: "Edge", version: /Edg(?:e|A)?\/(\d+)(?:\.(\d+))?/, minimum: [79, 0] },
  { name: "Opera", version: /(?:OPR|Opera)\/(\d+)(?:\.(\d+))?/, minimum: [53, 0] },
  { name: "Firefox", version: /Firefox\/(\d+)(?:\.(\d+))?/, minimum: [63, 0] },
  { name: "Chrome", version: /(?:Chrome|Chromium)\/(\d+)(?:\.(\d+))?/, minimum: [66, 0] },
  { name: "Safari", version: /Version\/(\d+)(?:\.(\d+))?.* Safari\//, minimum: [13, 0] },
];

/**
 * Why a browser cannot run Warren; nothing for one that can, and for one whose user agent string says nothing known.
 * @param hasWebRtc whether it offers RTCPeerConnection with data channels.
 */
export function unsupportedReasons(userAgent: string, hasWebRtc: boolean): readonly UnsupportedReason[] {
  const reasons: UnsupportedReason[] = [];
  const tooLow = versionTooLow(userAgent);
  if (tooLow) reasons.push(tooLow);
  if (!hasWebRtc) reasons.push({ code: "browser_does_not_support_webrtc" });
  return reasons;
}

/** Whether this browser can open data channels to others. */
export function supportsWebRtc(): boolean {
  return typeof RTCPeerConnection === "function" && "createDataChannel" in RTCPeerConnection.prototype;
}

function versionTooLow(userAgent: string): UnsupportedReason | null {
  for (const { name, version, minimum } of knownBrowsers) {
    const found = version.exec(userAgent);
    if (!found) continue;
    const [major, minor] = [Number(found[1]), Number(found[2] ?? 0)];
    if (major > minimum[0] || (major === minimum[0] && minor >= minimum[1])) return null;
    return {
      code: "browser_version_too_low",
      browser: name,
      version: written(major, minor),
      minimum: written(...minimum),
    };
  }
  return null;
}

function written(major: number, minor: number): string {
  return minor === 0 ? String(major) : `${major}.${minor}`;
}
