import type { QrMeeting } from "@warren/core";
import { type ErrorDescription, toWarrenError } from "@warren/protocol";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import CodeCamera from "../devices/code-camera.tsx";
import { errorText } from "../i18n/i18n.ts";
import { useT } from "../i18n/use-t.ts";
import { QrCode } from "../room/link/qr-code.tsx";
import { LocalNetworkHint } from "../room/local-network-hint.tsx";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/fields/text-field.tsx";
import { CopyIcon, QrIcon, ScanIcon } from "../ui/icons.ts";
import { Dialog } from "../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../ui/overlays/dialog-control.ts";
import { usePlatform } from "../wiring/platform-context.ts";
import { useCopyText } from "../wiring/use-copy-text.ts";
import { useWarren } from "../wiring/warren-context.ts";

/** What the person does next, on the device that shows the first code or on the other. */
type Step =
  | { readonly at: "choice" }
  /** First the camera, because with it browsers tell the page's addresses; then the code. */
  | { readonly at: "inviting"; readonly code: string | null }
  | { readonly at: "reading" }
  | { readonly at: "answering"; readonly code: string }
  | { readonly at: "connecting" };

/** A code of the other device. Only one that the camera saw is surely its own: a text may be replaced on its way. */
interface ReadCode {
  readonly text: string;
  readonly isScanned: boolean;
}

/** Two devices side by side meet by each other's codes, without a server. Resolves with the id of the other. */
export default function MeetByCodeDialog({ dialog }: DialogSlot<string>) {
  const t = useT();
  const { step, problem, show, read, ready, take } = useMeeting(dialog.submit);
  const shown = step.at === "inviting" || step.at === "answering" ? step.code : null;
  const reads = step.at === "inviting" || step.at === "reading";
  return (
    <Dialog
      dialog={dialog}
      initialFocus="top"
      title={t("meetByCode.title")}
      description={t(`meetByCode.${step.at}`)}
      closable
    >
      {problem && (
        <p role="alert" className="mt-3 text-compact text-danger">
          {problemText(problem, t)}
        </p>
      )}
      {step.at === "choice" && (
        <div className="mt-4 grid gap-2">
          <Button size="lg" variant="primary" icon={QrIcon} onClick={show}>
            {t("meetByCode.show")}
          </Button>
          <Button size="lg" icon={ScanIcon} onClick={read}>
            {t("meetByCode.read")}
          </Button>
          <LocalNetworkHint className="mt-1" />
        </div>
      )}
      {shown !== null && <ShownCode code={shown} />}
      {reads && (
        <div className="mt-4">
          <CodeCamera onCode={(text) => take({ text, isScanned: true })} onReady={ready} />
          <TypedCode
            isReady={step.at === "reading" || step.code !== null}
            onCode={(text) => take({ text, isScanned: false })}
          />
        </div>
      )}
    </Dialog>
  );
}

function ShownCode({ code }: { readonly code: string }) {
  const t = useT();
  const copy = useCopyText();
  return (
    <div className="mt-4 flex flex-col items-center gap-2">
      <QrCode text={code} isPlain label={t("meetByCode.code")} />
      <Button variant="ghost" size="sm" icon={CopyIcon} onClick={() => void copy(code)}>
        {t("meetByCode.copy")}
      </Button>
    </div>
  );
}

/** For a device without a camera: the text of the other's code. */
function TypedCode({
  isReady,
  onCode,
}: {
  /** Before there is an invitation, no code can answer it. */
  readonly isReady: boolean;
  readonly onCode: (text: string) => void;
}) {
  const t = useT();
  const [text, setText] = useState("");
  const hintId = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== "") onCode(text);
  };
  return (
    <form noValidate onSubmit={submit} className="mt-3">
      <div className="flex items-end gap-2">
        <TextField
          className="flex-1"
          label={t("meetByCode.typed")}
          aria-describedby={hintId}
          value={text}
          onChange={(event) => setText(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit" loading={!isReady}>
          {t("meetByCode.take")}
        </Button>
      </div>
      <p id={hintId} className="mt-1.5 text-meta text-text-3">
        {t("meetByCode.typedHint")}
      </p>
    </form>
  );
}

function useMeeting(onMet: (peerId: string) => void) {
  const warren = useWarren();
  const { roomLock } = usePlatform();
  const [step, setStep] = useState<Step>({ at: "choice" });
  const [problem, setProblem] = useState<ErrorDescription | null>(null);
  const meeting = useRef<QrMeeting | null>(null);
  /** The text that was refused last: the camera sees it many times. */
  const refused = useRef("");
  /** The camera goes on while a code is checked. */
  const isChecking = useRef(false);
  const isMet = useRef(false);
  useEffect(
    () => () => {
      if (!isMet.current) meeting.current?.close();
    },
    [],
  );

  const fail = (thrown: unknown, next: Step): void => {
    setProblem(toWarrenError(thrown).describe());
    setStep(next);
  };
  const begin = async (): Promise<QrMeeting> => {
    meeting.current?.close();
    const begun = await warren.qrMeeting();
    meeting.current = begun;
    return begun;
  };
  const join = async (met: QrMeeting, { isScanned }: ReadCode): Promise<void> => {
    roomLock.takeOver();
    try {
      await warren.joinMet(met, { isScanned });
    } catch (thrown) {
      met.close();
      throw thrown;
    }
    isMet.current = true;
    onMet(met.peerId ?? "");
  };
  const start = (at: "inviting" | "reading"): void => {
    refused.current = "";
    setProblem(null);
    setStep(at === "inviting" ? { at, code: null } : { at });
  };

  const invite = async (): Promise<void> => {
    try {
      const code = await (await begin()).invite();
      setStep((now) => (now.at === "inviting" ? { at: "inviting", code } : now));
    } catch (thrown) {
      fail(thrown, { at: "choice" });
    }
  };
  /** @returns the meeting that took the code; null if it was refused: another picture may be of the right one. */
  const check = async (text: string, take: () => Promise<QrMeeting>): Promise<QrMeeting | null> => {
    isChecking.current = true;
    try {
      const met = await take();
      setProblem(null);
      return met;
    } catch (thrown) {
      refused.current = text;
      setProblem(toWarrenError(thrown).describe());
      return null;
    } finally {
      isChecking.current = false;
    }
  };
  const answer = async (read: ReadCode): Promise<void> => {
    const met = await check(read.text, async () => {
      const begun = await begin();
      setStep({ at: "answering", code: await begun.answer(read.text) });
      return begun;
    });
    if (met === null) return;
    try {
      await met.opened(answerTimeoutMs);
      await join(met, read);
    } catch (thrown) {
      fail(thrown, { at: "choice" });
    }
  };
  const complete = async (met: QrMeeting, read: ReadCode): Promise<void> => {
    if ((await check(read.text, () => met.complete(read.text).then(() => met))) === null) return;
    setStep({ at: "connecting" });
    try {
      await join(met, read);
    } catch (thrown) {
      fail(thrown, { at: "choice" });
    }
  };

  return {
    step,
    problem,
    show: () => start("inviting"),
    read: () => start("reading"),
    ready: () => {
      if (step.at === "inviting" && step.code === null) void invite();
    },
    take(read: ReadCode) {
      if (isChecking.current || read.text === refused.current) return;
      const invited = step.at === "inviting" && step.code !== null ? meeting.current : null;
      if (invited !== null) void complete(invited, read);
      else if (step.at === "reading") void answer(read);
    },
  };
}

/** How long the other person may take to scan the second code. */
const answerTimeoutMs = 180_000;

function problemText(problem: ErrorDescription, t: ReturnType<typeof useT>): string {
  const { code, values } = problem;
  if (code === "code-invalid" && values.issue === "own") return t("meetByCode.own");
  if (code === "code-invalid" && values.issue === "no address") return t("meetByCode.noAddress");
  if (code === "code-invalid") return t("meetByCode.invalid");
  if (code === "another-version") return t("meetByCode.version");
  if (code === "connect-timeout" || code === "connection-closed") return t("meetByCode.notMet");
  return errorText(problem);
}
