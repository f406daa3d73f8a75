import { Link, useRoute } from "wouter";
import { useT } from "../i18n/use-t.ts";
import { useShareTray } from "../tab/tab-context.ts";
import { ForwardIcon } from "../ui/icons.ts";
import { paths } from "../wiring/paths.ts";

/** Shown on every other page while shared items are pending; links to their page. */
export function ShareTrayBar() {
  const t = useT();
  const { items, newItems } = useShareTray();
  const count = items.length + newItems.length;
  const [isOpen] = useRoute(paths.share.path);
  if (count === 0 || isOpen) return null;
  return (
    <div role="status" className="flex min-h-10 items-center gap-2.5 bg-accent-soft px-4 text-compact">
      <ForwardIcon size={16} className="text-accent-text" />
      <p className="min-w-0 flex-1">{t("shareTray.waiting", { count })}</p>
      <Link
        to={paths.share.href}
        className="flex h-10 items-center font-medium text-accent-text underline underline-offset-2 touch:h-11"
      >
        {t("shareTray.choose")}
      </Link>
    </div>
  );
}
