import type { FileMessage } from "@warren/core";
import { safeFileName } from "@warren/protocol";
import { downloads, type SaveLocation } from "../../tab/pending-saves.ts";
import { useTab } from "../../tab/tab-context.ts";
import { type Platform, usePlatform } from "../../wiring/platform-context.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import { withErrorToast } from "../../wiring/with-error-toast.ts";

/** What becomes of an accepted file: it is saved once it is complete, or it stays in this browser until somebody saves it. */
export type AcceptMode = "save" | "keep";

/**
 * Accepts offers. Those to be saved are saved once they are complete, where the user chooses at once if the browser can ask; if the
 * user closes that picker, nothing is accepted.
 */
export function useAcceptOffers(): (offers: readonly FileMessage[], mode: AcceptMode) => Promise<void> {
  const { chat } = useWarren();
  const platform = usePlatform();
  const { pendingSaves } = useTab();
  const accept = async (
    { key, file: { fid } }: FileMessage,
    location: SaveLocation | null,
  ): Promise<void> => {
    // First, because a small file may be complete before it counts as accepted.
    if (location !== null) pendingSaves.add(fid, location);
    if ((await withErrorToast(() => chat.acceptFile(key))) || location === null) return;
    pendingSaves.end(fid);
    // An empty file that stays is no reason for a second message.
    if (location.kind === "file") await location.file.discard().catch(() => {});
  };
  return async (offers, mode) => {
    const location = mode === "keep" ? null : await pickLocation(offers, platform);
    if (location === "closed") return;
    await Promise.all(offers.map((offer) => accept(offer, location)));
  };
}

/** Asks for the location of files, right after a press: browsers open their pickers only then. */
async function pickLocation(
  offers: readonly FileMessage[],
  { pickTargetFile, pickTargetFolder }: Pick<Platform, "pickTargetFile" | "pickTargetFolder">,
): Promise<SaveLocation | "closed"> {
  const [first, ...others] = offers;
  const isOne = first !== undefined && others.length === 0 && first.file.tree === undefined;
  try {
    if (isOne && pickTargetFile) {
      const file = await pickTargetFile(safeFileName(first.file.fileName));
      return file ? { kind: "file", file } : "closed";
    }
    if (!isOne && pickTargetFolder) {
      const folder = await pickTargetFolder();
      return folder ? { kind: "folder", folder } : "closed";
    }
  } catch {
    // A browser may refuse its pickers, for instance by a company's rules; it still has downloads.
  }
  return downloads;
}
