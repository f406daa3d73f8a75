import type { FileStatus as Status } from "../../file-state/file-state.ts";
import { useT } from "../../i18n/use-t.ts";
import { cx } from "../../ui/cx.ts";
import {
  CheckIcon,
  ClockIcon,
  CloseIcon,
  type Icon,
  PauseIcon,
  ReceiveIcon,
  WarningIcon,
} from "../../ui/icons.ts";
import { Spinner } from "../../ui/spinner.tsx";

const looks: Readonly<Record<Status, { readonly icon: Icon | null; readonly tint: string }>> = {
  "not-started": { icon: ClockIcon, tint: "text-text-2" },
  stopped: { icon: PauseIcon, tint: "text-text-2" },
  transferring: { icon: ReceiveIcon, tint: "text-text" },
  merging: { icon: null, tint: "text-text" },
  complete: { icon: CheckIcon, tint: "text-accent-text" },
  incomplete: { icon: WarningIcon, tint: "text-warn" },
  missing: { icon: WarningIcon, tint: "text-warn" },
  offered: { icon: ClockIcon, tint: "text-text-2" },
  declined: { icon: CloseIcon, tint: "text-text-2" },
  cancelled: { icon: CloseIcon, tint: "text-text-2" },
};

/** A file's state as an icon and a word. */
export function FileStatus({ status, className }: { readonly status: Status; readonly className?: string }) {
  const t = useT();
  const { icon: Glyph, tint } = looks[status];
  return (
    <span className={cx("inline-flex items-center gap-1.5 align-top whitespace-nowrap", tint, className)}>
      {Glyph === null ? <Spinner size={14} /> : <Glyph size={14} />}
      {t(`files.status.${status}`)}
    </span>
  );
}
