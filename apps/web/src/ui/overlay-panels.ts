// One chunk for all three: they share the positioning code.
export { MenuPanel } from "./menu-panel.tsx";
export { PopoverPanel } from "./popover-panel.tsx";
export { TooltipPanel } from "./tooltip-panel.tsx";
