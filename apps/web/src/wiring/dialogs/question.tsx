import { useT } from "../../i18n/use-t.ts";
import { Button, type ButtonProps } from "../../ui/button.tsx";
import { Dialog, DialogFooter, type DialogProps } from "../../ui/overlays/dialog.tsx";
import type { DialogResult, DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { openDialog } from "./open-dialog.ts";

interface Question<T> extends Pick<DialogProps, "size"> {
  readonly title: string;
  /** The consequence, in one sentence. */
  readonly line: string;
  /** Further consequences. */
  readonly details?: readonly string[];
  /** Beside Cancel, in order. */
  readonly answers: readonly Answer<T>[];
}

interface Answer<T> extends Pick<ButtonProps, "variant"> {
  readonly value: T;
  /** The verb on its button. */
  readonly verb: string;
}

function QuestionDialog<T>({
  title,
  line,
  details = [],
  answers,
  size,
  dialog,
}: Question<T> & DialogSlot<T>) {
  const t = useT();
  return (
    <Dialog dialog={dialog} title={title} description={line} {...(size && { size })}>
      {details.map((detail) => (
        <p key={detail} className="mt-2 text-body text-text-2">
          {detail}
        </p>
      ))}
      <DialogFooter>
        <Button variant="ghost" onClick={dialog.cancel}>
          {t("common.cancel")}
        </Button>
        {answers.map(({ value, verb, variant }) => (
          <Button key={verb} {...(variant && { variant })} onClick={() => dialog.submit(value)}>
            {verb}
          </Button>
        ))}
      </DialogFooter>
    </Dialog>
  );
}

/** Asks a question that is answered by a button each, and Cancel. */
export function ask<T>(question: Question<T>): Promise<DialogResult<T>> {
  return openDialog(QuestionDialog<T>, question);
}

interface Confirmation extends Omit<Question<true>, "answers" | "size"> {
  /** The verb on the button. */
  readonly verb: string;
}

/**
 * Asks before a destructive action: its object, its consequence, and the verb on the button.
 * @returns whether the user confirmed.
 */
export async function confirm({ verb, ...question }: Confirmation): Promise<boolean> {
  const answers = [{ value: true, verb, variant: "danger" }] as const;
  return !(await ask<true>({ ...question, size: "sm", answers })).cancelled;
}
