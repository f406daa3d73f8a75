import { createContext, use } from "react";

export const PaletteContext = createContext<(() => void) | null>(null);

/** Opens the palette of rooms, people, messages and commands; null on pages without one. */
export function useOpenPalette(): (() => void) | null {
  return use(PaletteContext);
}
