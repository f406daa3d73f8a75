import { decoded } from "@warren/core";
import { useLocation } from "wouter";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { BrokenLinkIcon } from "../../ui/icons.ts";
import { paths } from "../../wiring/paths.ts";

/** Shown for an unknown address. */
export function NotFoundPage() {
  const t = useT();
  // The hook's own path is only partly decoded: %3D remains.
  const [, navigate] = useLocation();
  return (
    <div className="flex flex-1 items-center justify-center overflow-y-auto bg-surface p-5">
      <EmptyState
        icon={BrokenLinkIcon}
        heading="h1"
        title={t("notFound.title", { path: decoded(location.pathname) })}
        action={
          <Button variant="primary" onClick={() => navigate(paths.home.href)}>
            {t("notFound.home")}
          </Button>
        }
        className="max-w-full break-words"
      >
        {t("notFound.line")}
      </EmptyState>
    </div>
  );
}
