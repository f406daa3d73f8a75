import { useDevice } from "../../components/device-context.tsx";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { CopyIcon } from "../../ui/icons.tsx";
import { toast } from "../../ui/toaster.tsx";

interface ErrorPageProps {
  readonly error: Error;
  readonly onReset: () => void;
}

/** What is shown in place of a page that stopped. */
export function ErrorPage({ error, onReset }: ErrorPageProps) {
  const t = useT();
  const { writeClipboard } = useDevice();
  const technical = error.stack ?? `${error.name}: ${error.message}`;
  const copy = async (): Promise<void> => {
    const { status } = await writeClipboard(technical);
    if (status === "written" || status === "queued") toast.success(t("fallback.copied"));
    else toast.error(t(status === "unsupported" ? "unsupported.clipboard" : "toast.clipboardFailed"));
  };
  return (
    <div className="flex min-w-0 flex-1 overflow-y-auto bg-surface p-5">
      <div role="alert" className="m-auto w-full max-w-[496px]">
        <h1 className="text-title">{t("fallback.title")}</h1>
        <p className="mt-1 text-body-lg text-text-2">{t("fallback.line")}</p>
        <p className="mt-3 break-words font-medium">{error.message || error.name}</p>
        <details className="mt-3">
          <summary className="cursor-pointer py-1 text-compact text-text-2">
            {t("fallback.technical")}
          </summary>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a long stack is scrolled by keyboard
            tabIndex={0}
            className="mt-1 max-h-60 select-text overflow-auto whitespace-pre rounded-control bg-sunken p-3 font-mono"
          >
            {technical}
          </pre>
        </details>
        <div className="mt-5 flex gap-2">
          <Button variant="primary" onClick={onReset}>
            {t("fallback.reset")}
          </Button>
          <Button variant="ghost" icon={CopyIcon} onClick={() => void copy()}>
            {t("fallback.copy")}
          </Button>
        </div>
      </div>
    </div>
  );
}
