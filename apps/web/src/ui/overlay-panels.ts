// One chunk for the three: they share what places them beside their triggers.
export { MenuPanel } from "./menu-panel.tsx";
export { PopoverPanel } from "./popover-panel.tsx";
export { TooltipPanel } from "./tooltip-panel.tsx";
