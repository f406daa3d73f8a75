import { type PeerProof, safetyCodeNumbers } from "@warren/core";
import { type ReactNode, useState } from "react";
import { joinSentences } from "../../i18n/spacing.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { type Icon, ShieldAlertIcon, ShieldCheckIcon, ShieldCrossIcon, ShieldIcon } from "../../ui/icons.ts";
import { toast } from "../../wiring/toast.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import { withErrorToast } from "../../wiring/with-error-toast.ts";
import type { Person } from "../use-person.ts";
import { drawnEmoji } from "./drawn-emoji.ts";

/** Whether the connection to a peer could be intercepted, and how to verify it. */
export function SafetySection({ person }: { readonly person: Person }) {
  const t = useT();
  const [isShown, setShown] = useState(false);
  const { firstName: name, trustLevel, peer, contact } = person;
  const proof = peer?.proof ?? null;

  if (trustLevel === "blocked") return <Blocked person={person} />;
  // For an absent person, the last known proof counts.
  if (!(proof?.verifiable ?? contact?.proven ?? true)) {
    return (
      <Note icon={ShieldAlertIcon} tone="warn">
        {t("personInfo.keyless", { name })}
      </Note>
    );
  }
  const isKnown = trustLevel === "verified" || trustLevel === "invited";
  const code = peer?.ready ? proof : null;
  if (isKnown && !(isShown && code)) {
    return (
      <Note
        icon={trustLevel === "verified" ? ShieldCheckIcon : ShieldIcon}
        tone={trustLevel === "verified" ? "accent" : "plain"}
        action={
          code && (
            <Button size="sm" variant="ghost" onClick={() => setShown(true)}>
              {t("personInfo.showCode")}
            </Button>
          )
        }
      >
        {trustLevel === "verified" ? t("personInfo.compared") : t("personInfo.invited", { name })}
      </Note>
    );
  }
  if (code === null) return <Note icon={ShieldAlertIcon}>{t("personInfo.away", { name })}</Note>;
  return <Compare person={person} proof={code} onDone={() => setShown(false)} />;
}

function Compare({
  person: { id, firstName: name },
  proof: { safetyCode },
  onDone,
}: {
  readonly person: Person;
  readonly proof: PeerProof;
  readonly onDone: () => void;
}) {
  const t = useT();
  const { chat } = useWarren();

  const match = async (): Promise<void> => {
    if (await withErrorToast(() => chat.markVerified(id))) onDone();
  };
  const differ = (): void => {
    chat.reportMismatch(id);
    toast.error(t("connection.safetyDiffers"), { description: t("personInfo.blockedLine", { name }) });
  };

  return (
    <section className="flex flex-col gap-3">
      <SafetyCode safetyCode={safetyCode} />
      <p className="text-text-2">{t("personInfo.ask", { name })}</p>
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" className="max-md:flex-1" onClick={() => void match()}>
          {t("personInfo.match")}
        </Button>
        <Button className="max-md:flex-1" onClick={differ}>
          {t("personInfo.differ")}
        </Button>
      </div>
    </section>
  );
}

function Blocked({ person: { id, firstName: name, contact } }: { readonly person: Person }) {
  const t = useT();
  const { chat } = useWarren();
  return (
    <Note
      icon={ShieldCrossIcon}
      tone="danger"
      action={
        <Button size="sm" onClick={() => chat.unblock(id)}>
          {t("personInfo.unblock")}
        </Button>
      }
    >
      {contact?.blockedByHand
        ? t("personInfo.blockedLine", { name })
        : joinSentences([t("personInfo.blocked"), t("personInfo.blockedLine", { name })])}
    </Note>
  );
}

const tones = {
  plain: { ground: "bg-sunken", icon: "text-text-2" },
  accent: { ground: "bg-accent-soft", icon: "text-accent-text" },
  warn: { ground: "bg-warn-soft", icon: "text-warn" },
  danger: { ground: "bg-danger-soft", icon: "text-danger" },
};

function Note({
  icon: Glyph,
  tone = "plain",
  action,
  children,
}: {
  readonly icon: Icon;
  readonly tone?: keyof typeof tones;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section
      className={cx(
        "flex min-h-12 items-center gap-2.5 rounded-menu px-4 py-2 text-compact",
        tones[tone].ground,
      )}
    >
      <Glyph size={18} className={tones[tone].icon} />
      <p className="min-w-0 flex-1 py-1">{children}</p>
      {action}
    </section>
  );
}

/** Seven emoji with their names below, and the same code as three numbers, for reading aloud. */
function SafetyCode({ safetyCode }: { readonly safetyCode: readonly number[] }) {
  const t = useT();
  const numbers = safetyCodeNumbers(safetyCode).join(" ");
  return (
    <div className="rounded-menu bg-sunken px-2 pt-4 pb-3 text-center">
      <ol aria-label={t("personInfo.code")} className="flex flex-wrap justify-center gap-y-3">
        {drawnEmoji(safetyCode).map(({ key, picture }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an emoji may occur twice, and the order never changes
          <li key={index} className="flex w-1/7 min-w-0 flex-col items-center gap-2 max-md:w-1/4">
            <img src={picture} alt="" width={30} height={30} className="size-[30px]" />
            <span className="text-micro text-text-2">{t(`emoji.${key}`)}</span>
          </li>
        ))}
      </ol>
      <p className="mt-3 text-meta text-text-2 tabular-nums">{t("personInfo.numbers", { numbers })}</p>
    </div>
  );
}
