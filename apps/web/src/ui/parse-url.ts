/** The address a text is, or null. `URL.canParse` is newer than some browsers Warren runs in. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
