import type { ReactNode } from "react";
import { useT } from "../../i18n/use-t.ts";
import { GuardedButton } from "../../ui/button.tsx";
import { AddIcon } from "../../ui/icons.ts";

interface ServerGroupProps {
  readonly title: string;
  readonly line: string;
  /** Shown for an empty list. */
  readonly none: string;
  readonly isEmpty: boolean;
  readonly addLabel: string;
  readonly addDisabledReason: string | undefined;
  readonly onAdd: () => void;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A titled list of servers with the button that adds one. */
export function ServerGroup({
  title,
  line,
  none,
  isEmpty,
  addLabel,
  addDisabledReason,
  onAdd,
  actions,
  children,
}: ServerGroupProps) {
  const t = useT();
  return (
    <section aria-label={title} className="mt-7">
      <div className="flex flex-wrap items-center gap-x-2">
        <h2 className="flex-1 text-heading-sm">{title}</h2>
        {actions}
        <GuardedButton
          variant="accent-text"
          size="sm"
          icon={AddIcon}
          aria-label={addLabel}
          disabledReason={addDisabledReason}
          onClick={onAdd}
        >
          {t("common.add")}
        </GuardedButton>
      </div>
      <p className="text-compact text-text-2">{line}</p>
      {isEmpty && <p className="mt-2 text-compact text-text-3">{none}</p>}
      <div className="mt-2 flex flex-col gap-2">{children}</div>
    </section>
  );
}

/** The frame of one server. */
export const serverCardClass = "rounded-menu border border-line-2 bg-raised";

/** A server's icon, text, test and actions in one line; on a phone the text gets its own line. */
export const serverLineClass =
  "flex items-center gap-2.5 py-2 pr-2 pl-3.5 max-md:flex-wrap max-md:justify-end max-md:gap-y-0";
export const serverTextClass = "min-w-0 flex-1 max-md:basis-[calc(100%-48px)]";
