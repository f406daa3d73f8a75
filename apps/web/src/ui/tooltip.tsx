import { useEffect } from "react";
import { Loaded, onDemand } from "./on-demand.tsx";

const host = onDemand(() => import("./tooltip-host.tsx"));

/** What makes an element show a tooltip, once {@link Tooltips} is mounted. */
interface TooltipProps {
  readonly "data-tooltip"?: string | undefined;
  readonly "data-tooltip-keys"?: string | undefined;
  readonly "data-tooltip-side"?: "top" | "right" | "bottom" | "left" | undefined;
}

/**
 * The props of an element with a tooltip, for text that screen readers already get as its name or description.
 * @param text undefined for no tooltip
 * @param keys the shortcut that does the same
 */
export function tooltip(
  text: string | undefined,
  {
    keys,
    side,
  }: { readonly keys?: string | undefined; readonly side?: TooltipProps["data-tooltip-side"] } = {},
): TooltipProps {
  return text === undefined
    ? {}
    : { "data-tooltip": text, "data-tooltip-keys": keys, "data-tooltip-side": side };
}

/** The tooltip of the page. Its code is fetched once a control with a tooltip is hovered or focused. */
export function Tooltips() {
  useEffect(() => {
    const listening = new AbortController();
    const look = ({ target }: Event): void => {
      // The next control retries a failed fetch.
      if (target instanceof Element && target.closest("[data-tooltip]")) host.load().catch(() => {});
    };
    for (const type of ["pointerover", "focusin"])
      document.addEventListener(type, look, { signal: listening.signal, passive: true });
    return () => listening.abort();
  }, []);
  return <Loaded code={host}>{({ TooltipHost }) => <TooltipHost />}</Loaded>;
}
