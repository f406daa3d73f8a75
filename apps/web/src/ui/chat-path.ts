import { createContext } from "react";
import { paths } from "./paths.ts";

/** The target of Chat, set by the shell: the last open conversation or list. */
export const ChatPath = createContext<string>(paths.home);
