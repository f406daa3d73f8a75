import { useT } from "../i18n/use-t.ts";

const steps = [
  { does: "firstSteps.profile", line: "firstSteps.profileLine" },
  { does: "firstSteps.room", line: "firstSteps.roomLine" },
  { does: "firstSteps.share", line: "firstSteps.shareLine" },
] as const;

/** The first steps for a new user. */
export function FirstSteps() {
  const t = useT();
  return (
    <ol className="flex flex-col gap-3.5">
      {steps.map(({ does, line }, index) => (
        <li key={does} className="flex gap-3">
          <span
            aria-hidden="true"
            className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-meta font-medium text-accent-text tabular-nums"
          >
            {index + 1}
          </span>
          <span className="min-w-0 pt-0.5">
            <span className="block font-medium">{t(does)}</span>
            <span className="block text-compact text-text-2">{t(line)}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
