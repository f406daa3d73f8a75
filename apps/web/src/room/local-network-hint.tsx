import { useT } from "../i18n/use-t.ts";
import { cx } from "../ui/cx.ts";
import { useStore, useWarren } from "../wiring/warren-context.ts";
import { useLocalNetworkAccess } from "./use-local-network-access.ts";

/** Says, before anybody is met, what the browser will ask, and what to do where it was answered with Block. */
export function LocalNetworkHint({ className }: { readonly className: string }) {
  const t = useT();
  const access = useLocalNetworkAccess();
  const hasMet = useStore(useWarren().chat.store, ({ contacts }) => Object.keys(contacts).length > 0);
  // Whoever has met somebody was asked before, or the browser knows the permission and does not ask.
  if (access !== "denied" && (access !== "prompt" || hasMet)) return null;
  return (
    <p className={cx("text-meta", access === "denied" ? "text-warn" : "text-text-2", className)}>
      {t(access === "denied" ? "localNetwork.blocked" : "localNetwork.asks")}
    </p>
  );
}
