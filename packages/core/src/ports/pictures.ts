/** The use of a picture: an avatar is square, a thumbnail keeps its picture's aspect ratio. */
export type PictureUse = "avatar" | "thumbnail";

/**
 * Redraws a picture received from a peer as a data URL, so that nothing of its file remains except its pixels.
 * @returns the data URL of a still picture, for an avatar a PNG of 128×128; null if it is not a picture or too large to
 * draw safely. Rejects if it cannot be redrawn now, because the code for it could not be fetched.
 */
export type CleanPicture = (dataUrl: string, use: PictureUse) => Promise<string | null>;

/**
 * Draws a thumbnail for an offer of these files, so that the receiver sees their contents.
 * @returns a data URL that `thumbnailSchema` accepts, or null if none of them is a picture that is safe to decode.
 */
export type DrawThumbnail = (files: readonly File[]) => Promise<string | null>;
