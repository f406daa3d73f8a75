import type { ReadLink } from "@warren/core";
import { createContext, use } from "react";

/** Opens the room of a link, after asking about the servers it names. */
type OpenLink = (link: ReadLink) => void;

export const OpenLinkContext = createContext<OpenLink | null>(null);

/** How a link that was typed here is opened; throws outside an {@link OpenLinkContext}. */
export function useOpenLink(): OpenLink {
  const openLink = use(OpenLinkContext);
  if (openLink === null) throw new Error("useOpenLink needs an OpenLinkContext around it");
  return openLink;
}
