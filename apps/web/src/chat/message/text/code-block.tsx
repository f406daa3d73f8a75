import type { ReactNode } from "react";
import { useT } from "../../../i18n/use-t.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { CopyIcon } from "../../../ui/icons.ts";
import { Highlighted } from "../../../ui/text/highlighted.tsx";
import { useCopyText } from "../../../wiring/use-copy-text.ts";

interface CodeBlockProps {
  readonly code: string;
  /** What follows the code without being part of it. */
  readonly children: ReactNode;
}

/** The code of a message, whose lines are not broken: a longer one is scrolled to. */
export function CodeBlock({ code, children }: CodeBlockProps) {
  const t = useT();
  const copyText = useCopyText();
  return (
    <div className="my-1 flex items-start rounded-control bg-surface forced-colors:border">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled by keyboard
        tabIndex={0}
        dir="ltr"
        // What goes on fades out before the button.
        className="min-w-0 flex-1 overflow-x-auto overscroll-x-contain py-2 pl-2.5 font-mono text-[0.8125rem]/5 [font-variant-ligatures:none] [mask-image:linear-gradient(to_left,transparent,black_16px)]"
      >
        <code className="inline-block pr-4 align-top text-[length:inherit]">
          <Highlighted text={code} />
          {children}
        </code>
      </pre>
      <IconButton
        size="sm"
        icon={CopyIcon}
        iconSize={16}
        label={t("conversation.copyCode")}
        className="m-1 touch:-my-1 touch:-mr-1"
        onClick={() => void copyText(code)}
      />
    </div>
  );
}
