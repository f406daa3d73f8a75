import type { ReactNode } from "react";
import { useT } from "../i18n/use-t.ts";
import { useChatPath } from "../room/use-chat-path.ts";
import { BackLink } from "../ui/back-link.tsx";
import { cx } from "../ui/cx.ts";

interface CallHeaderProps {
  readonly title: string;
  /** Below the title. */
  readonly line?: ReactNode;
  /** Whether it lies over a face that fills the page. */
  readonly isFloating?: boolean;
  /** Whether that face is a picture, over which words need a ground. */
  readonly isOverPicture?: boolean;
  readonly children?: ReactNode;
}

/** The head of the page; where the page takes the whole window, it leads back. */
export function CallHeader({
  title,
  line,
  isFloating = false,
  isOverPicture = false,
  children,
}: CallHeaderProps) {
  const t = useT();
  const chatPath = useChatPath();
  return (
    <header
      className={cx(
        "flex h-14 shrink-0 items-center gap-2 px-5 low:h-12 low:pl-1 max-md:pr-2 max-md:pl-1",
        isFloating &&
          "absolute top-0 right-[var(--stage-right,0px)] left-0 z-header px-4 low:pl-2 max-md:px-2",
      )}
    >
      <div className="hidden low:block max-md:block">
        <BackLink to={chatPath} label={t("common.back")} tone={isOverPicture ? "on-picture" : "plain"} />
      </div>
      <div className="flex min-w-24 flex-1">
        <div
          className={cx("min-w-0", isOverPicture && "rounded-control bg-over-picture px-2.5 py-1 text-white")}
        >
          <h1 className="truncate text-heading-sm">{title}</h1>
          {line !== undefined && (
            <p className={cx("flex min-w-0 gap-1.5 text-meta", !isOverPicture && "text-text-2")}>{line}</p>
          )}
        </div>
      </div>
      {children}
    </header>
  );
}
