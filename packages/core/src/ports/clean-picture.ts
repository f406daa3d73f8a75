/**
 * Redraws a picture that a peer sent, given as a data URL, so that nothing of its file is left but how it looks.
 * @returns a PNG data URL of 128×128, or null for what is no picture or too large to draw safely.
 */
export type CleanPicture = (dataUrl: string) => Promise<string | null>;
