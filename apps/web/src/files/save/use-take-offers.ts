import type { FileMessage } from "@warren/core";
import { safeFileName } from "@warren/protocol";
import { downloads, type SaveLocation } from "../../tab/pending-saves.ts";
import { useTab } from "../../tab/tab-context.ts";
import { type Device, useDevice } from "../../wiring/device-context.tsx";
import { useRun } from "../../wiring/use-run.ts";
import { useWarren } from "../../wiring/warren-context.tsx";

/** What becomes of an accepted file: it is saved once it is complete, or it stays in this browser until somebody saves it. */
export type Taking = "save" | "keep";

/**
 * Accepts offers. Those to be saved are saved once they are complete, where the user chooses at once if the browser can ask; if the
 * user closes that picker, nothing is accepted.
 */
export function useTakeOffers(): (offers: readonly FileMessage[], taking: Taking) => Promise<void> {
  const run = useRun();
  const { chat } = useWarren();
  const device = useDevice();
  const { pendingSaves } = useTab();
  const accept = async (
    { key, file: { fid } }: FileMessage,
    location: SaveLocation | null,
  ): Promise<void> => {
    // First, because a small file may be complete before it counts as accepted.
    if (location !== null) pendingSaves.add(fid, location);
    if ((await run(() => chat.acceptFile(key))) || location === null) return;
    pendingSaves.take(fid);
    // An empty file that stays is no reason for a second message.
    if (location.kind === "file") await location.file.discard().catch(() => {});
  };
  return async (offers, taking) => {
    const location = taking === "keep" ? null : await pickLocation(offers, device);
    if (location === "closed") return;
    await Promise.all(offers.map((offer) => accept(offer, location)));
  };
}

/** Asks for the location of files, right after a press: browsers open their pickers only then. */
async function pickLocation(
  offers: readonly FileMessage[],
  { pickTargetFile, pickTargetFolder }: Pick<Device, "pickTargetFile" | "pickTargetFolder">,
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
