import { type ReactNode, useId } from "react";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { FieldError } from "../ui/text-field.tsx";
import { DeviceSelect, type DeviceWord } from "./device-select.tsx";
import type { DeviceTrial } from "./use-device-trial.ts";

interface DeviceFieldProps {
  readonly word: DeviceWord;
  readonly devices: readonly MediaDeviceInfo[] | null;
  readonly value: string | null;
  readonly onChange: (deviceId: string | null) => void;
  readonly children?: ReactNode;
}

/** A labelled select of a device, with its test below. */
export function DeviceField({ word, children, ...rest }: DeviceFieldProps) {
  const t = useT();
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="text-compact font-medium">
        {t(`settings.option.${word}Id.label`)}
      </label>
      <DeviceSelect id={id} word={word} {...rest} />
      {children}
    </div>
  );
}

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
