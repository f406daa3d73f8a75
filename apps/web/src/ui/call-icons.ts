/** Icons of the call, loaded with its code. */
import {
  Maximize,
  Mic,
  MicOff,
  Minimize,
  PhoneOff,
  PictureInPicture,
  Square,
  Video,
  VideoOff,
  Volume2,
  VolumeX,
  ZoomIn,
  ZoomOut,
} from "lucide-react";
import { icon } from "./icons.tsx";

export const CameraIcon = /* @__PURE__ */ icon(Video);
export const CameraOffIcon = /* @__PURE__ */ icon(VideoOff);
export const ExitFullScreenIcon = /* @__PURE__ */ icon(Minimize);
export const FullScreenIcon = /* @__PURE__ */ icon(Maximize);
export const HangUpIcon = /* @__PURE__ */ icon(PhoneOff);
export const MicrophoneIcon = /* @__PURE__ */ icon(Mic);
export const MicrophoneOffIcon = /* @__PURE__ */ icon(MicOff);
export const PictureInPictureIcon = /* @__PURE__ */ icon(PictureInPicture);
export const SoundIcon = /* @__PURE__ */ icon(Volume2);
export const SoundOffIcon = /* @__PURE__ */ icon(VolumeX);
export const StopIcon = /* @__PURE__ */ icon(Square);
export const ZoomInIcon = /* @__PURE__ */ icon(ZoomIn);
export const ZoomOutIcon = /* @__PURE__ */ icon(ZoomOut);
