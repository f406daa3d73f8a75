/** Parses a URL; null if it is invalid. `URL.canParse` is missing in some supported browsers. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
