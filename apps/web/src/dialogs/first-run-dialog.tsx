import { OwnAvatar } from "../components/client-avatar.tsx";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { InfoIcon, PeopleIcon } from "../ui/icons.tsx";
import { Passage } from "../ui/passage.tsx";
import type { DialogSlot } from "./open-dialog.tsx";

const steps = [
  { does: "firstRun.profile", line: "firstRun.profileLine" },
  { does: "firstRun.room", line: "firstRun.roomLine" },
  { does: "firstRun.share", line: "firstRun.shareLine" },
] as const;

/** SPEC's first-run dialog: what to do first, and what is not protected. Submitting it leads to the join form. */
export function FirstRunDialog({ dialog }: DialogSlot<true>) {
  const t = useT();
  return (
    <Dialog
      open={dialog.open}
      onClose={dialog.cancel}
      returnFocus={dialog.returnFocus}
      initialFocus="top"
      title={t("firstRun.title")}
      description={t("firstRun.line")}
    >
      <div className="mt-5">
        <div className="mb-5 flex justify-center rounded-card bg-canvas pt-6 pb-5 [@media(max-height:680px)]:hidden">
          <Passage from={<OwnAvatar size={52} />} to={<PeopleIcon size={22} />} />
        </div>
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
        <p className="mt-5 flex gap-2 border-t border-line pt-4 text-meta text-text-2">
          <InfoIcon size={16} className="shrink-0" />
          {t("firstRun.limits")}
        </p>
      </div>
      <DialogFooter>
        <Button variant="ghost" onClick={dialog.cancel}>
          {t("firstRun.later")}
        </Button>
        <Button variant="primary" onClick={() => dialog.submit(true)}>
          {t("firstRun.start")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
