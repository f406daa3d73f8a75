import type { ComponentProps } from "react";
import { IconButton } from "../../ui/icon-button.tsx";

/** A button of the strip of actions at a message. */
export function StripButton(
  props: Omit<ComponentProps<typeof IconButton>, "size" | "iconSize" | "tooltipSide">,
) {
  return <IconButton {...props} size="sm" iconSize={16} tooltipSide="top" />;
}
