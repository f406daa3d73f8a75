import { useT } from "../../i18n/use-t.ts";
import { ErrorFallback } from "../../ui/error-fallback.tsx";

interface ErrorPageProps {
  readonly error: Error;
  readonly onReset: () => void;
}

/** Shown in place of a crashed page. */
export function ErrorPage({ error, onReset }: ErrorPageProps) {
  const t = useT();
  return (
    <div className="flex min-w-0 flex-1 overflow-y-auto bg-surface p-5">
      <div role="alert" className="m-auto w-full max-w-[496px]">
        <h1 className="text-title">{t("fallback.title")}</h1>
        <p className="mt-1 text-body-lg text-text-2">{t("fallback.line")}</p>
        <ErrorFallback error={error} resetLabel={t("fallback.reset")} onReset={onReset} />
      </div>
    </div>
  );
}
