import { useState } from "react";
import { onDemand } from "./on-demand.tsx";

/** The panels of menus, popovers and tooltips. */
export const overlays = onDemand(async () => {
  const { MenuPanel, PopoverPanel, TooltipPanel } = await import("./overlay-panels.ts");
  return { MenuPanel, PopoverPanel, TooltipPanel };
});

/** A trigger's handle for loading its overlay. */
interface Overlay {
  /** Whether the overlay has been requested: then it is mounted, though it may be closed. */
  readonly isWanted: boolean;
  /** Loads the overlay, because the trigger is hovered, focused or pressed. */
  want(): void;
}

/**
 * Loads the overlays when a trigger is about to need one. `onFailure` is called if they cannot be fetched.
 */
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
