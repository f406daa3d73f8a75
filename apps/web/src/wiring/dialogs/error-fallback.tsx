import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { CopyIcon } from "../../ui/icons.ts";
import { useCopyText } from "../use-copy-text.ts";

interface ErrorFallbackProps {
  readonly error: unknown;
  /** Hides the message if other text explains it better; it remains in the technical text. */
  readonly hidesMessage?: boolean;
  readonly resetLabel: string;
  readonly onReset: () => void;
}

/** Details of the error that stopped a page or a dialog: message, stack, Reset and Copy. */
export function ErrorFallback({ error, hidesMessage = false, resetLabel, onReset }: ErrorFallbackProps) {
  const t = useT();
  const copyText = useCopyText();
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const technical = stack ?? `${name}: ${message}`;
  return (
    <>
      {!hidesMessage && <p className="mt-3 break-words font-medium">{message || name}</p>}
      <details className="mt-3">
        <summary className="cursor-pointer py-1 text-compact text-text-2">{t("fallback.technical")}</summary>
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long stack is scrolled by keyboard
          tabIndex={0}
          className="mt-1 max-h-60 select-text overflow-auto whitespace-pre rounded-control bg-sunken p-3 font-mono"
        >
          {technical}
        </pre>
      </details>
      <div className="mt-5 flex flex-wrap gap-2">
        <Button variant="primary" onClick={onReset}>
          {resetLabel}
        </Button>
        <Button variant="ghost" icon={CopyIcon} onClick={() => void copyText(technical)}>
          {t("fallback.copy")}
        </Button>
      </div>
    </>
  );
}
