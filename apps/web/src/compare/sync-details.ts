/** The details below a file's name, in order. */
export const syncDetails = ["size", "lastModified", "mimeType"] as const;
export type SyncDetail = (typeof syncDetails)[number];
