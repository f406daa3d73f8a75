import type { KeyValueStorage } from "@warren/core";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { useWarren } from "../../components/warren-context.tsx";
import { dialogStore, openDialog } from "../../dialogs/open-dialog.tsx";
import { useRoomActions } from "../../dialogs/use-room-actions.ts";
import { onDemand } from "../../ui/on-demand.tsx";
import { paths } from "../paths.ts";
import { isGreeted, noteGreeting } from "./open-page.ts";
import type { Startup } from "./use-startup.ts";

const firstRun = onDemand(() => import("../../dialogs/first-run-dialog.tsx"));

/** Where a newcomer is greeted. Who shares something, opens a conversation or is lost came for that. */
const places: ReadonlySet<string> = new Set([paths.home, paths.files, paths.video, paths.settings]);

/** Greets a newcomer, once in this browser (SPEC §4, First visit). */
export function useFirstRun(
  { plan, storage, erased }: Pick<Startup, "plan" | "storage" | "erased">,
  pathname: string,
): void {
  const { editRoom } = useRoomActions();
  const { room } = useWarren();
  const [, navigate] = useLocation();
  // A page that says how deleting everything ended says that alone.
  const isDue = useRef(plan.isFirstRun && erased === null);
  useEffect(() => {
    if (!isDue.current || !places.has(pathname)) return;
    isDue.current = false;
    const enterRoom = async (): Promise<void> => {
      await editRoom();
      // There is the link to share, the last of the steps that were named.
      if (pathname !== paths.home && room.store.getState().status === "connected") navigate(paths.home);
    };
    void greet(storage, enterRoom);
  });
}

/** Shows the first-run dialog, which leads to the join form. Who has begun meanwhile is not interrupted. */
async function greet(storage: KeyValueStorage, enterRoom: () => Promise<void>): Promise<void> {
  const begun = new AbortController();
  const { signal } = begun;
  for (const act of ["pointerdown", "keydown"])
    addEventListener(act, () => begun.abort(), { capture: true, signal });
  try {
    const { FirstRunDialog } = await firstRun.load();
    // Another tab may have shown it by now.
    if (signal.aborted || dialogStore.getState()?.open || isGreeted(storage)) return;
    noteGreeting(storage);
    const result = await openDialog(FirstRunDialog, {});
    if (!result.cancelled) await enterRoom();
  } catch {
    // Its code could not be fetched: the start page says enough, and the next visit tries again.
  } finally {
    begun.abort();
  }
}
