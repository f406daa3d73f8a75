/** What a row can say of a file under its name, in this order. */
export const syncDetails = ["size", "lastModified", "mimeType"] as const;
export type SyncDetail = (typeof syncDetails)[number];

/** Which of them are put away, and the way to put others away. */
export interface DetailChoice {
  readonly hiddenDetails: readonly SyncDetail[];
  readonly onHideDetails: (hidden: readonly SyncDetail[]) => void;
}
