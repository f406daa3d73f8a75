import { useState } from "react";
import { onDemand } from "./on-demand.tsx";

/** What menus, popovers and tooltips draw beside their triggers. */
export const overlays = onDemand(async () => {
  const { MenuPanel, PopoverPanel, TooltipPanel } = await import("./overlay-panels.ts");
  return { MenuPanel, PopoverPanel, TooltipPanel };
});

/** A trigger's share in loading its overlay. */
interface Overlay {
  /** Whether the overlay was ever near its use: then it is drawn, though perhaps closed. */
  readonly isWanted: boolean;
  /** Loads the overlay, because the trigger is pointed at, focused or pressed. */
  want(): void;
}

/** Loads the overlays when a trigger is about to need one. `onFailure` hears of it when they cannot be fetched. */
export function useOverlay(onFailure?: () => void): Overlay {
  const [isWanted, setWanted] = useState(false);
  return {
    isWanted,
    want() {
      setWanted(true);
      overlays.load().catch(() => onFailure?.());
    },
  };
}
