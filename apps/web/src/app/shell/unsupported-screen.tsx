import { useDocumentTitle } from "../../hooks/use-document-title.ts";
import "../../i18n/later-texts.ts";
import { useT } from "../../i18n/use-t.ts";
import type { UnsupportedReason } from "../../platform/browser-support.ts";
import { Wordmark } from "../../ui/mark.tsx";

/** What a browser that cannot run Warren is shown instead of it. */
export function UnsupportedScreen({ reasons }: { readonly reasons: readonly UnsupportedReason[] }) {
  const t = useT();
  const tooOld = reasons.some(({ code }) => code === "browser_version_too_low");
  const title = tooOld ? t("unsupported.titleOld") : t("unsupported.title");
  useDocumentTitle(t("title.page", { page: title }));
  return (
    <main className="flex min-h-full bg-surface p-5">
      <div className="m-auto w-full max-w-[440px]">
        <Wordmark />
        <h1 className="mt-8 text-title">{title}</h1>
        <ul className="mt-2 flex flex-col gap-1 text-body-lg">
          {reasons.map((reason) => (
            <li key={reason.code} data-reason={reason.code}>
              {reason.code === "browser_version_too_low"
                ? t(`unsupported.${reason.code}`, reason)
                : t(`unsupported.${reason.code}`)}
            </li>
          ))}
        </ul>
        <p className="mt-4 text-body text-text-2">{t("unsupported.line")}</p>
      </div>
    </main>
  );
}
