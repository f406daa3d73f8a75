import { type RefObject, useState } from "react";
import { useLocation } from "wouter";
import { useHeightProperty } from "../../ui/hooks/use-height-property.ts";
import { useBreakpoint, useIsLow } from "../../ui/hooks/use-media-query.ts";
import { isOfConversation } from "../../wiring/paths.ts";
import { type Corner, useChosenCorner, useCornerDrag } from "../use-corner-drag.ts";

const gapPx = 12;

/** Over the foot of the list of people, or over the oldest messages: the others have the newest message, or the head of the list. */
const corners = ["bottom-left", "top-right"] as const satisfies readonly Corner[];

const cornerClasses: Readonly<Record<(typeof corners)[number], string>> = {
  "bottom-left": "bottom-3 left-[76px]",
  "top-right": "right-4",
};

/** A tile that floats in a corner of the window. */
export interface FloatingTile extends ReturnType<typeof useCornerDrag> {
  readonly corner: Corner;
  readonly className: string;
  readonly isLarge: boolean;
  readonly setLarge: (isLarge: boolean) => void;
  /** Whether there is only space for a bar, which has its place. */
  readonly isBar: boolean;
}

/** Keeps a tile in the corner where it was left: dragged to another one, or sent there with the arrow keys. */
export function useFloatingTile(box: RefObject<HTMLElement | null>): FloatingTile {
  const isPhone = useBreakpoint() === "phone";
  const isLow = useIsLow();
  const [pathname] = useLocation();
  const [chosen, choose] = useChosenCorner("call_tile_corner");
  const [isLarge, setLarge] = useState(false);
  const isBar = isPhone || isLow;
  const corner = corners.find((one) => one === chosen && !isBar) ?? "bottom-left";
  // What makes way for it: the toasts, or the list of people, which scrolls past it.
  const property = isPhone ? "--toast-tile" : corner === "bottom-left" ? "--list-tile" : undefined;
  useHeightProperty(box, property, gapPx);
  return {
    corner,
    className: isPhone
      ? phoneClass(isOfConversation(pathname))
      : isLow
        ? `fixed w-[216px] rounded-card shadow-menu lg:w-[276px] ${cornerClasses[corner]}`
        : `fixed ${cornerClasses[corner]} ${corner === "top-right" ? topClass(isOfConversation(pathname)) : ""}`,
    isLarge,
    setLarge,
    isBar,
    ...useCornerDrag(box, { corner, corners, onChoose: choose }),
  };
}

/** Where people talk nothing moves, so it lies over the oldest messages; elsewhere nothing is covered. */
function phoneClass(isInConversation: boolean): string {
  return isInConversation
    ? "fixed inset-x-0 top-[calc(env(safe-area-inset-top)+56px+var(--search-height,0px)+var(--banner-height,0px)+var(--connection-height,0px))] transition-[top] duration-200"
    : "relative shrink-0";
}

/** A page without a conversation begins with its title and its buttons. */
function topClass(isInConversation: boolean): string {
  return isInConversation
    ? "top-[calc(env(safe-area-inset-top)+64px+var(--search-height,0px)+var(--banner-height,0px)+var(--connection-height,0px))] transition-[top] duration-200"
    : "top-[68px]";
}
