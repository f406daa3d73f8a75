/**
 * Icons not used by the first page, in a separate file so that they are not fetched with it; the settings
 * have their own file.
 */
import {
  ArrowDownWideNarrow,
  Camera,
  CheckCheck,
  createLucideIcon,
  File,
  FileArchive,
  Files,
  Film,
  GripVertical,
  Image,
  Images,
  Music,
  Play,
  ShieldAlert,
} from "lucide-react";
import { icon } from "./icons.tsx";

const Bars = /* @__PURE__ */ createLucideIcon("bars", [
  ["path", { d: "M9 6v12", key: "a" }],
  ["path", { d: "M15 6v12", key: "b" }],
]);

export const ArchiveIcon = /* @__PURE__ */ icon(FileArchive);
export const CheckCheckIcon = /* @__PURE__ */ icon(CheckCheck);
export const FileIcon = /* @__PURE__ */ icon(File);
export const FilesIcon = /* @__PURE__ */ icon(Files);
export const GripIcon = /* @__PURE__ */ icon(GripVertical);
export const ImageIcon = /* @__PURE__ */ icon(Image);
export const ImagesIcon = /* @__PURE__ */ icon(Images);
export const MusicIcon = /* @__PURE__ */ icon(Music);
export const PauseIcon = /* @__PURE__ */ icon(Bars);
export const PhotoIcon = /* @__PURE__ */ icon(Camera);
export const PlayIcon = /* @__PURE__ */ icon(Play);
export const ShieldAlertIcon = /* @__PURE__ */ icon(ShieldAlert);
export const SortIcon = /* @__PURE__ */ icon(ArrowDownWideNarrow);
export const VideoFileIcon = /* @__PURE__ */ icon(Film);
