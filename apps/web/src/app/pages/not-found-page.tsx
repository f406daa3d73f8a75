import { useLocation } from "wouter";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LanguageIcon } from "../../ui/icons.tsx";
import { paths } from "../paths.ts";

/** Any address without a page. */
export function NotFoundPage() {
  const t = useT();
  // The hook's own path is decoded by half: %3D stays.
  const [, navigate] = useLocation();
  return (
    <div className="flex flex-1 items-center justify-center overflow-y-auto bg-surface p-5">
      <EmptyState
        icon={LanguageIcon}
        heading="h1"
        title={t("notFound.title", { path: decoded(location.pathname) })}
        action={<Button onClick={() => navigate(paths.home)}>{t("notFound.home")}</Button>}
        className="max-w-full break-words"
      >
        {t("notFound.line")}
      </EmptyState>
    </div>
  );
}

/** A path as people read it; one that was never encoded properly stays as it is. */
function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
