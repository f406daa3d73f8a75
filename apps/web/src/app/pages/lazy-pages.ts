import { lazyWithPreload } from "../../wiring/lazy-with-preload.ts";

/** The pages whose code is not in the first load. */
export const AloneFooter = lazyWithPreload(() => import("../../chat/alone-footer.tsx"));
export const CallPage = lazyWithPreload(() => import("../../call/call-page.tsx"));
export const ComparisonPage = lazyWithPreload(() => import("../../compare/comparison-page.tsx"));
export const ConversationPane = lazyWithPreload(() => import("../../chat/conversation-pane.tsx"));
export const DoctorPage = lazyWithPreload(() => import("../../doctor/doctor-page.tsx"));
export const FilesPage = lazyWithPreload(() => import("../../files/page/files-page.tsx"));
export const SettingsPage = lazyWithPreload(() => import("../../settings/settings-page.tsx"));
export const SharePage = lazyWithPreload(() => import("../../share/share-page.tsx"));
export const WaitingPage = lazyWithPreload(() => import("../../room/waiting-page.tsx"));

/** No build for people has it. */
export const ControlsPage = import.meta.env.DEV
  ? lazyWithPreload(() => import("../controls/controls-page.tsx"))
  : null;
