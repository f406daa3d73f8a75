/** The icons that Lucide lacks. */
import createLucideIcon from "lucide-react/dist/esm/createLucideIcon.mjs";

/** A clipboard with the arrow of Send: the usual clipboard means Paste. */
export const SendClipboardIcon = /* @__PURE__ */ createLucideIcon("clipboard-up", [
  ["rect", { x: "8", y: "2", width: "8", height: "4", rx: "1", key: "a" }],
  ["path", { d: "M16 4h2a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2h2", key: "b" }],
  ["path", { d: "M12 18v-7", key: "c" }],
  ["path", { d: "m9 14 3-3 3 3", key: "d" }],
]);

export const PauseIcon = /* @__PURE__ */ createLucideIcon("bars", [
  ["path", { d: "M9 6v12", key: "a" }],
  ["path", { d: "M15 6v12", key: "b" }],
]);

export const PeopleIcon = /* @__PURE__ */ createLucideIcon("pair", [
  ["circle", { cx: "9", cy: "8", r: "3.75", key: "a" }],
  ["path", { d: "M2.5 20a6.5 6.5 0 0 1 13 0", key: "b" }],
  ["path", { d: "M16 4.5a3.75 3.75 0 0 1 0 7", key: "c" }],
  ["path", { d: "M18 14.2a6.5 6.5 0 0 1 3.5 5.8", key: "d" }],
]);

export const SettingsIcon = /* @__PURE__ */ createLucideIcon("sliders", [
  ["path", { d: "M3 8h9", key: "a" }],
  ["path", { d: "M16 8h5", key: "b" }],
  ["path", { d: "M16 5v6", key: "c" }],
  ["path", { d: "M3 16h5", key: "d" }],
  ["path", { d: "M12 16h9", key: "e" }],
  ["path", { d: "M8 13v6", key: "f" }],
]);
