import { cx } from "../../ui/cx.ts";
import { CheckCheckIcon, CheckIcon, ClockIcon, CloseIcon, type Icon } from "../../ui/icons.ts";
import type { FileCardView } from "./file-card-view.ts";

const marks: Readonly<
  Record<NonNullable<FileCardView["mark"]>["kind"], { readonly icon: Icon; readonly tint: string }>
> = {
  waiting: { icon: ClockIcon, tint: "text-text-2" },
  verified: { icon: CheckIcon, tint: "text-accent-text" },
  received: { icon: CheckCheckIcon, tint: "text-accent-text" },
  ended: { icon: CloseIcon, tint: "text-text-2" },
};

/** What has become of a file, as an icon and words. */
export function FileMark({ kind, text }: NonNullable<FileCardView["mark"]>) {
  const { icon: Sign, tint } = marks[kind];
  return (
    <p key={kind} title={text} className={cx("flex min-w-0 max-w-full items-center gap-1 text-meta", tint)}>
      <Sign size={14} className="shrink-0" />
      <span className="truncate">{text}</span>
    </p>
  );
}
