/** Where a picture is shown: a person's picture is square, a thumbnail has the shape of what it shows. */
export type PictureUse = "avatar" | "thumbnail";

/**
 * Redraws a picture that a peer sent, given as a data URL, so that nothing of its file is left but how it looks.
 * @returns the data URL of a still picture, for an avatar a PNG of 128×128, or null for what is no picture or too large to
 * draw safely.
 */
export type CleanPicture = (dataUrl: string, use: PictureUse) => Promise<string | null>;

/**
 * Draws what goes with an offer of these files so that its receiver sees what is in them.
 * @returns a data URL that `thumbnailSchema` takes, or null where none of them is a picture that is safe to decode.
 */
export type DrawThumbnail = (files: readonly File[]) => Promise<string | null>;
