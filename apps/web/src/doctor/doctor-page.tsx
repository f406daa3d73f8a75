import { type DoctorStep, type DoctorVerdict, doctorReport, doctorSteps } from "@warren/core";
import { useEffect, useRef, useState } from "react";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { BackLink } from "../ui/back-link.tsx";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import {
  AlertIcon,
  CheckIcon,
  CopyIcon,
  type Icon,
  InfoIcon,
  RefreshIcon,
  WarningIcon,
} from "../ui/icons.ts";
import { Spinner } from "../ui/spinner.tsx";
import { paths } from "../wiring/paths.ts";
import { usePlatform } from "../wiring/platform-context.ts";
import { useCopyText } from "../wiring/use-copy-text.ts";
import { useWarren } from "../wiring/warren-context.ts";
import { withErrorToast } from "../wiring/with-error-toast.ts";
import { verdictText } from "./verdict-text.ts";

const marks: Readonly<Record<DoctorVerdict["outcome"], { readonly icon: Icon; readonly colour: string }>> = {
  good: { icon: CheckIcon, colour: "text-accent-text" },
  limited: { icon: WarningIcon, colour: "text-warn" },
  bad: { icon: AlertIcon, colour: "text-danger" },
  unknown: { icon: InfoIcon, colour: "text-text-2" },
};

/** What stands between this browser and others: checked when opened, step by step. */
export default function DoctorPage() {
  const t = useT();
  const format = useFormat();
  const copyText = useCopyText();
  const { verdicts, isRunning, start } = useDiagnosis();
  const wordsOf = (verdict: DoctorVerdict) => verdictText(verdict, format.size);
  const problems = verdicts.filter(({ outcome }) => outcome === "bad" || outcome === "limited").length;
  const summary = problems === 0 ? t("doctor.well") : t("doctor.problems", { count: problems });
  const hasProblems = !isRunning && problems > 0;
  return (
    <div className="min-w-0 flex-1 overflow-y-auto bg-surface [--ground:var(--surface)]">
      <div className="mx-auto max-w-[680px] px-4 pt-3 pb-10 md:px-8 md:pt-6">
        <div className="flex items-center gap-1">
          <BackLink to={`${paths.settings.href}#connection`} label={t("common.back")} className="-ml-3" />
          <h1 className="text-title">{t("doctor.title")}</h1>
        </div>
        <p
          role="status"
          className={cx(
            "mt-1.5 flex min-h-6 items-center gap-2 text-body",
            hasProblems ? "font-medium text-warn" : "text-text-2",
          )}
        >
          {hasProblems && <WarningIcon size={16} className="shrink-0" />}
          {isRunning ? t("doctor.checking") : verdicts.length > 0 && summary}
        </p>
        <p className="text-pretty text-body text-text-2">{t("doctor.line")}</p>
        <div className="mt-4 flex flex-wrap items-center gap-2 max-md:*:flex-1">
          <Button icon={RefreshIcon} loading={isRunning} onClick={start}>
            {t("doctor.again")}
          </Button>
          {!isRunning && verdicts.length > 0 && (
            <Button icon={CopyIcon} onClick={() => void copyText(doctorReport(verdicts, wordsOf))}>
              {t("doctor.copy")}
            </Button>
          )}
        </div>
        <dl className="mt-5 divide-y divide-line rounded-card border border-line-2 bg-raised px-4">
          {doctorSteps.map((step) => (
            <Step
              key={step}
              step={step}
              isRunning={isRunning}
              verdicts={verdicts.filter((verdict) => verdict.step === step)}
              wordsOf={wordsOf}
            />
          ))}
        </dl>
      </div>
    </div>
  );
}

interface StepProps {
  readonly step: DoctorStep;
  readonly isRunning: boolean;
  readonly verdicts: readonly DoctorVerdict[];
  readonly wordsOf: (verdict: DoctorVerdict) => ReturnType<typeof verdictText>;
}

function Step({ step, isRunning, verdicts, wordsOf }: StepProps) {
  const t = useT();
  if (verdicts.length === 0 && !isRunning) return null;
  return (
    <div className="py-3">
      <dt className="font-medium text-body">{t(`doctor.step.${step}`)}</dt>
      {verdicts.length === 0 && (
        <dd className="mt-1 flex items-center gap-2 text-compact text-text-2">
          <Spinner size={16} />
          {t("doctor.checking")}
        </dd>
      )}
      {verdicts.map((verdict) => {
        const { icon: Glyph, colour } = marks[verdict.outcome];
        const { cause, next } = wordsOf(verdict);
        return (
          <dd key={`${verdict.cause} ${verdict.values.server}`} className="mt-1 flex gap-2 text-compact">
            <Glyph
              size={16}
              role="img"
              aria-hidden={false}
              aria-label={t(`doctor.outcome.${verdict.outcome}`)}
              className={cx("mt-0.5 shrink-0", colour)}
            />
            <span className="min-w-0 break-words">
              <span className="block">{cause}</span>
              {next !== null && <span className="block text-text-2">{next}</span>}
            </span>
          </dd>
        );
      })}
    </div>
  );
}

/** Runs the doctor when the page opens, and again on demand. */
function useDiagnosis(): {
  readonly verdicts: readonly DoctorVerdict[];
  readonly isRunning: boolean;
  readonly start: () => void;
} {
  const warren = useWarren();
  const platform = usePlatform();
  const [verdicts, setVerdicts] = useState<readonly DoctorVerdict[]>([]);
  const [isRunning, setRunning] = useState(false);
  /** The latest diagnosis; what an earlier one still finds is dropped. */
  const latest = useRef(0);
  const start = (): void => {
    latest.current += 1;
    const own = latest.current;
    const isLatest = (): boolean => own === latest.current;
    setVerdicts([]);
    setRunning(true);
    void withErrorToast(async () => {
      await warren.diagnose(platform.doctorPlatform(), (found) => {
        if (isLatest()) setVerdicts((before) => [...before, ...found]);
      });
    }).finally(() => {
      if (isLatest()) setRunning(false);
    });
  };
  const begin = useRef(start);
  useEffect(() => {
    begin.current();
    return () => {
      latest.current += 1;
    };
  }, []);
  return { verdicts, isRunning, start };
}
