import { ChatIcon, FolderIcon, type Icon, PhoneIcon, SettingsIcon } from "../../ui/icons.ts";
import { paths } from "../../ui/paths.ts";

/** An entry of the rail and the top bar. */
export interface NavigationEntry {
  readonly path: string;
  /** The key of its label under `nav`. */
  readonly word: "chat" | "call" | "files" | "settings";
  readonly icon: Icon;
  /** Whether an address belongs to this entry. */
  readonly isCurrent: (pathname: string) => boolean;
}

/** The app's sections in order. A section without a page is not listed. */
export const navigation: readonly NavigationEntry[] = [
  {
    path: paths.home,
    word: "chat",
    icon: ChatIcon,
    isCurrent: (pathname) => pathname === paths.home || pathname.startsWith("/client"),
  },
  {
    path: paths.video,
    word: "call",
    icon: PhoneIcon,
    isCurrent: (pathname) => pathname === paths.video,
  },
  {
    path: paths.files,
    word: "files",
    icon: FolderIcon,
    isCurrent: (pathname) => pathname === paths.files,
  },
  {
    path: paths.settings,
    word: "settings",
    icon: SettingsIcon,
    isCurrent: (pathname) => pathname === paths.settings,
  },
];
