/** Icons not used by the first page, in a separate file so that they are not fetched with it. */
import { ChartNoAxesColumnIncreasing, FlaskConical, Mic, Palette, Server, Upload, Video } from "lucide-react";
import { icon } from "./icons.tsx";

export const AppearanceIcon = icon(Palette);
export const CameraIcon = icon(Video);
export const ConnectionIcon = icon(ChartNoAxesColumnIncreasing);
export const MediaIcon = icon(Mic);
export const SenderIcon = icon(Upload);
export const ServerIcon = icon(Server);
export const TestIcon = icon(FlaskConical);
