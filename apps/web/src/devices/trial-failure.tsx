import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { FieldError } from "../ui/fields/text-field.tsx";
import type { DeviceTrial } from "./use-trial.ts";

interface TrialFailureProps {
  readonly word: "camera" | "microphone";
  readonly kind: Extract<DeviceTrial, { status: "failed" }>["kind"];
  readonly onRetry: () => void;
}

/** Why a device cannot be tested, and what to do about it. */
export function TrialFailure({ word, kind, onRetry }: TrialFailureProps) {
  const t = useT();
  return (
    <div
      role="alert"
      className={cx(
        "flex items-center",
        // The camera's message is centred where its picture would be.
        word === "camera" ? "flex-col gap-2.5" : "flex-wrap justify-between gap-x-4 gap-y-1",
      )}
    >
      <span className={word === "camera" ? undefined : "min-w-48 flex-1"}>
        <FieldError>{t(`media.${word}.${kind}`)}</FieldError>
      </span>
      <Button size="sm" aria-label={t(`media.${word}.retry`)} onClick={onRetry}>
        {t("common.retry")}
      </Button>
    </div>
  );
}
