/** The icons in use, drawn with the strokes of the look: 1.75, 2 at 16 px and below, 2.4 at 14 and below. */
import {
  ArrowDown,
  ArrowDownToLine,
  ArrowDownUp,
  ArrowUp,
  Camera,
  Check,
  CheckCheck,
  ChevronLeft,
  ChevronRight,
  CircleAlert,
  Clipboard,
  Clock,
  Copy,
  createLucideIcon,
  Ellipsis,
  Eye,
  EyeOff,
  File,
  FileArchive,
  Files,
  FileText,
  Film,
  Folder,
  FolderSync,
  Forward,
  Globe,
  Image,
  Info,
  Keyboard,
  Lock,
  LogOut,
  type LucideIcon,
  type LucideProps,
  MessageCircle,
  Minus,
  Monitor,
  Music,
  Pencil,
  Play,
  Plus,
  QrCode,
  RefreshCw,
  Search,
  ShieldAlert,
  ShieldCheck,
  ShieldX,
  Trash2,
  TriangleAlert,
  X,
} from "lucide-react";
import type { ComponentType } from "react";

/** Props of every icon; `size` in px, 18 by default. Icons are hidden from screen readers: name the control instead. */
export interface IconProps extends Omit<LucideProps, "size" | "strokeWidth" | "ref"> {
  readonly size?: number;
  readonly strokeWidth?: number;
}

export type Icon = ComponentType<IconProps>;

/** An icon of the look from one of Lucide. */
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

const Bars = /* @__PURE__ */ createLucideIcon("bars", [
  ["path", { d: "M9 6v12", key: "a" }],
  ["path", { d: "M15 6v12", key: "b" }],
]);

const Pair = /* @__PURE__ */ createLucideIcon("pair", [
  ["circle", { cx: "9", cy: "8", r: "3.75", key: "a" }],
  ["path", { d: "M2.5 20a6.5 6.5 0 0 1 13 0", key: "b" }],
  ["path", { d: "M16 4.5a3.75 3.75 0 0 1 0 7", key: "c" }],
  ["path", { d: "M18 14.2a6.5 6.5 0 0 1 3.5 5.8", key: "d" }],
]);

export const AddIcon = /* @__PURE__ */ icon(Plus);
export const AlertIcon = /* @__PURE__ */ icon(CircleAlert);
export const ArchiveIcon = /* @__PURE__ */ icon(FileArchive);
export const BackIcon = /* @__PURE__ */ icon(ChevronLeft);
export const ChatIcon = /* @__PURE__ */ icon(MessageCircle);
export const CheckIcon = /* @__PURE__ */ icon(Check);
export const CheckCheckIcon = /* @__PURE__ */ icon(CheckCheck);
export const ChevronRightIcon = /* @__PURE__ */ icon(ChevronRight);
export const ClipboardIcon = /* @__PURE__ */ icon(Clipboard);
export const ClockIcon = /* @__PURE__ */ icon(Clock);
export const CloseIcon = /* @__PURE__ */ icon(X);
export const CompareIcon = /* @__PURE__ */ icon(FolderSync);
export const CopyIcon = /* @__PURE__ */ icon(Copy);
export const DeleteIcon = /* @__PURE__ */ icon(Trash2);
export const EditIcon = /* @__PURE__ */ icon(Pencil);
export const FileIcon = /* @__PURE__ */ icon(File);
export const FilesIcon = /* @__PURE__ */ icon(Files);
export const FolderIcon = /* @__PURE__ */ icon(Folder);
export const ForwardIcon = /* @__PURE__ */ icon(Forward);
export const HideIcon = /* @__PURE__ */ icon(EyeOff);
export const ImageIcon = /* @__PURE__ */ icon(Image);
export const InfoIcon = /* @__PURE__ */ icon(Info);
export const KeyboardIcon = /* @__PURE__ */ icon(Keyboard);
export const LanguageIcon = /* @__PURE__ */ icon(Globe);
export const LeaveIcon = /* @__PURE__ */ icon(LogOut);
export const LockIcon = /* @__PURE__ */ icon(Lock);
export const MinusIcon = /* @__PURE__ */ icon(Minus);
export const MoreIcon = /* @__PURE__ */ icon(Ellipsis);
export const MusicIcon = /* @__PURE__ */ icon(Music);
export const PauseIcon = /* @__PURE__ */ icon(Bars);
export const PeopleIcon = /* @__PURE__ */ icon(Pair);
export const PhotoIcon = /* @__PURE__ */ icon(Camera);
export const PlayIcon = /* @__PURE__ */ icon(Play);
export const QrIcon = /* @__PURE__ */ icon(QrCode);
export const ReceiveIcon = /* @__PURE__ */ icon(ArrowDown);
export const RefreshIcon = /* @__PURE__ */ icon(RefreshCw);
export const SaveIcon = /* @__PURE__ */ icon(ArrowDownToLine);
export const ScreenIcon = /* @__PURE__ */ icon(Monitor);
export const SearchIcon = /* @__PURE__ */ icon(Search);
export const SendIcon = /* @__PURE__ */ icon(ArrowUp);
export const SettingsIcon = /* @__PURE__ */ icon(Sliders);
export const ShieldAlertIcon = /* @__PURE__ */ icon(ShieldAlert);
export const ShieldCheckIcon = /* @__PURE__ */ icon(ShieldCheck);
export const ShieldCrossIcon = /* @__PURE__ */ icon(ShieldX);
export const ShowIcon = /* @__PURE__ */ icon(Eye);
export const TextFileIcon = /* @__PURE__ */ icon(FileText);
export const TransfersIcon = /* @__PURE__ */ icon(ArrowDownUp);
export const VideoFileIcon = /* @__PURE__ */ icon(Film);
export const WarningIcon = /* @__PURE__ */ icon(TriangleAlert);
