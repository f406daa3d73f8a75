/**
 * The icons of the first page, with the stroke widths of the look: 1.75, 2 at 16 px and below, 2.4 at 14 and
 * below. Each is imported from its own file: Lucide's index would bring all its icons to the first page.
 */
import type { LucideIcon, LucideProps } from "lucide-react";
import createLucideIcon from "lucide-react/dist/esm/createLucideIcon.mjs";
import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowDownToLine from "lucide-react/icons/arrow-down-to-line";
import ArrowDownUp from "lucide-react/icons/arrow-down-up";
import ArrowUp from "lucide-react/icons/arrow-up";
import Check from "lucide-react/icons/check";
import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import CircleAlert from "lucide-react/icons/circle-alert";
import Clipboard from "lucide-react/icons/clipboard";
import Clock from "lucide-react/icons/clock";
import Copy from "lucide-react/icons/copy";
import Ellipsis from "lucide-react/icons/ellipsis";
import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";
import FileText from "lucide-react/icons/file-text";
import Folder from "lucide-react/icons/folder";
import FolderSync from "lucide-react/icons/folder-sync";
import Forward from "lucide-react/icons/forward";
import Globe from "lucide-react/icons/globe";
import Info from "lucide-react/icons/info";
import Keyboard from "lucide-react/icons/keyboard";
import Lock from "lucide-react/icons/lock";
import LogOut from "lucide-react/icons/log-out";
import MessageCircle from "lucide-react/icons/message-circle";
import Minus from "lucide-react/icons/minus";
import Monitor from "lucide-react/icons/monitor";
import Pencil from "lucide-react/icons/pencil";
import Phone from "lucide-react/icons/phone";
import Plus from "lucide-react/icons/plus";
import QrCode from "lucide-react/icons/qr-code";
import RefreshCw from "lucide-react/icons/refresh-cw";
import Search from "lucide-react/icons/search";
import ShieldCheck from "lucide-react/icons/shield-check";
import ShieldX from "lucide-react/icons/shield-x";
import Trash2 from "lucide-react/icons/trash-2";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import X from "lucide-react/icons/x";
import type { ComponentType } from "react";

/** Props of every icon; `size` in px, 18 by default. Icons are hidden from screen readers: name the control instead. */
export interface IconProps extends Omit<LucideProps, "size" | "strokeWidth" | "ref"> {
  readonly size?: number;
  readonly strokeWidth?: number;
}

export type Icon = ComponentType<IconProps>;

/** Wraps a Lucide icon with the look's stroke widths. */
export function icon(Glyph: LucideIcon): Icon {
  return function GlyphIcon({ size = 18, strokeWidth, className, ...rest }) {
    const stroke = strokeWidth ?? (size <= 14 ? 2.4 : size <= 16 ? 2 : 1.75);
    return (
      <Glyph
        aria-hidden="true"
        size={size}
        strokeWidth={stroke}
        className={className === undefined ? "shrink-0" : `shrink-0 ${className}`}
        {...rest}
      />
    );
  };
}

const Sliders = /* @__PURE__ */ createLucideIcon("sliders", [
  ["path", { d: "M3 8h9", key: "a" }],
  ["path", { d: "M16 8h5", key: "b" }],
  ["path", { d: "M16 5v6", key: "c" }],
  ["path", { d: "M3 16h5", key: "d" }],
  ["path", { d: "M12 16h9", key: "e" }],
  ["path", { d: "M8 13v6", key: "f" }],
]);

const Pair = /* @__PURE__ */ createLucideIcon("pair", [
  ["circle", { cx: "9", cy: "8", r: "3.75", key: "a" }],
  ["path", { d: "M2.5 20a6.5 6.5 0 0 1 13 0", key: "b" }],
  ["path", { d: "M16 4.5a3.75 3.75 0 0 1 0 7", key: "c" }],
  ["path", { d: "M18 14.2a6.5 6.5 0 0 1 3.5 5.8", key: "d" }],
]);

export const AddIcon = /* @__PURE__ */ icon(Plus);
export const AlertIcon = /* @__PURE__ */ icon(CircleAlert);
export const BackIcon = /* @__PURE__ */ icon(ChevronLeft);
export const ChatIcon = /* @__PURE__ */ icon(MessageCircle);
export const CheckIcon = /* @__PURE__ */ icon(Check);
export const ChevronRightIcon = /* @__PURE__ */ icon(ChevronRight);
export const ClipboardIcon = /* @__PURE__ */ icon(Clipboard);
export const ClockIcon = /* @__PURE__ */ icon(Clock);
export const CloseIcon = /* @__PURE__ */ icon(X);
export const CompareIcon = /* @__PURE__ */ icon(FolderSync);
export const CopyIcon = /* @__PURE__ */ icon(Copy);
export const DeleteIcon = /* @__PURE__ */ icon(Trash2);
export const EditIcon = /* @__PURE__ */ icon(Pencil);
export const FolderIcon = /* @__PURE__ */ icon(Folder);
export const ForwardIcon = /* @__PURE__ */ icon(Forward);
export const HideIcon = /* @__PURE__ */ icon(EyeOff);
export const InfoIcon = /* @__PURE__ */ icon(Info);
export const KeyboardIcon = /* @__PURE__ */ icon(Keyboard);
export const LanguageIcon = /* @__PURE__ */ icon(Globe);
export const LeaveIcon = /* @__PURE__ */ icon(LogOut);
export const LockIcon = /* @__PURE__ */ icon(Lock);
export const MinusIcon = /* @__PURE__ */ icon(Minus);
export const MoreIcon = /* @__PURE__ */ icon(Ellipsis);
export const PeopleIcon = /* @__PURE__ */ icon(Pair);
export const PhoneIcon = /* @__PURE__ */ icon(Phone);
export const QrIcon = /* @__PURE__ */ icon(QrCode);
export const ReceiveIcon = /* @__PURE__ */ icon(ArrowDown);
export const RefreshIcon = /* @__PURE__ */ icon(RefreshCw);
export const SaveIcon = /* @__PURE__ */ icon(ArrowDownToLine);
export const ScreenIcon = /* @__PURE__ */ icon(Monitor);
export const SearchIcon = /* @__PURE__ */ icon(Search);
export const SendIcon = /* @__PURE__ */ icon(ArrowUp);
export const SettingsIcon = /* @__PURE__ */ icon(Sliders);
export const ShieldCheckIcon = /* @__PURE__ */ icon(ShieldCheck);
export const ShieldCrossIcon = /* @__PURE__ */ icon(ShieldX);
export const ShowIcon = /* @__PURE__ */ icon(Eye);
export const TextFileIcon = /* @__PURE__ */ icon(FileText);
export const TransfersIcon = /* @__PURE__ */ icon(ArrowDownUp);
export const WarningIcon = /* @__PURE__ */ icon(TriangleAlert);
