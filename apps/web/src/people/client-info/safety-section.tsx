import { type PeerProof, safetyCodeNumbers, safetyEmoji } from "@warren/core";
import { type ReactNode, useState } from "react";
import type { enUs } from "../../i18n/en-us.ts";
import { joinSentences } from "../../i18n/spacing.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { type Icon, ShieldAlertIcon, ShieldCheckIcon, ShieldCrossIcon } from "../../ui/icons.ts";
import { toast } from "../../wiring/toast.tsx";
import { useRun } from "../../wiring/use-run.ts";
import { useWarren } from "../../wiring/warren-context.tsx";
import type { Person } from "../use-person.ts";

/** Whether the connection to a client could be intercepted, and how to verify it. */
export function SafetySection({ person }: { readonly person: Person }) {
  const t = useT();
  const [isShown, setShown] = useState(false);
  const { firstName: name, trustLevel, peer, contact } = person;
  const proof = peer?.proof ?? null;

  if (trustLevel === "blocked") return <Blocked person={person} />;
  // For an absent client, the last known proof counts.
  if (!(proof?.verifiable ?? contact?.proven ?? true)) {
    return (
      <Note icon={ShieldAlertIcon} tone="warn">
        {t("clientInfo.keyless", { name })}
      </Note>
    );
  }
  const isKnown = trustLevel === "verified" || trustLevel === "invited";
  const code = peer?.ready ? proof : null;
  if (isKnown && !(isShown && code)) {
    return (
      <Note
        icon={ShieldCheckIcon}
        tone="accent"
        action={
          code && (
            <Button size="sm" variant="ghost" onClick={() => setShown(true)}>
              {t("clientInfo.showCode")}
            </Button>
          )
        }
      >
        {trustLevel === "verified" ? t("clientInfo.compared") : t("clientInfo.invited", { name })}
      </Note>
    );
  }
  if (code === null) return <Note icon={ShieldAlertIcon}>{t("clientInfo.away", { name })}</Note>;
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
  const run = useRun();
  const { chat } = useWarren();

  const match = async (): Promise<void> => {
    if (await run(() => chat.markVerified(id))) onDone();
  };
  const differ = (): void => {
    chat.reportMismatch(id);
    toast.error(t("connection.safetyDiffers"), { description: t("clientInfo.blockedLine", { name }) });
  };

  return (
    <section className="flex flex-col gap-3">
      <SafetyCode safetyCode={safetyCode} />
      <p className="text-text-2">{t("clientInfo.ask", { name })}</p>
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" className="max-md:flex-1" onClick={() => void match()}>
          {t("clientInfo.match")}
        </Button>
        <Button className="max-md:flex-1" onClick={differ}>
          {t("clientInfo.differ")}
        </Button>
        <div className="ml-auto max-md:w-full max-md:text-center">
          <SafetyNumbers safetyCode={safetyCode} />
        </div>
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
          {t("clientInfo.unblock")}
        </Button>
      }
    >
      {contact?.blockedByHand
        ? t("clientInfo.blockedLine", { name })
        : joinSentences([t("clientInfo.blocked"), t("clientInfo.blockedLine", { name })])}
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

/** Seven emoji with their names below. */
function SafetyCode({ safetyCode }: { readonly safetyCode: readonly number[] }) {
  const t = useT();
  return (
    <ol
      aria-label={t("clientInfo.code")}
      className="flex flex-wrap justify-center gap-y-3 rounded-menu bg-sunken px-2 py-4"
    >
      {drawnEmoji(safetyCode).map(({ key, picture }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an emoji may occur twice, and the order never changes
        <li key={index} className="flex w-1/7 min-w-0 flex-col items-center gap-2 max-md:w-1/4">
          <img src={picture} alt="" width={30} height={30} className="size-[30px]" />
          <span className="text-micro text-text-2">{t(`emoji.${key}`)}</span>
        </li>
      ))}
    </ol>
  );
}

/** The same code as three numbers, for reading aloud. */
function SafetyNumbers({ safetyCode }: { readonly safetyCode: readonly number[] }) {
  const t = useT();
  const numbers = safetyCodeNumbers(safetyCode).join(" ");
  return <p className="text-meta text-text-2 tabular-nums">{t("clientInfo.numbers", { numbers })}</p>;
}

type EmojiKey = keyof typeof enUs.emoji;

/** Pictures are bundled because systems render emoji differently, and two people have to compare them. */
const pictures = import.meta.glob<string>("./safety-emoji/*.svg", {
  eager: true,
  query: "?url",
  import: "default",
});

/** An emoji of a safety code: the key of its translated name, and its picture's address. */
interface DrawnEmoji {
  readonly key: EmojiKey;
  readonly picture: string;
}

/** The emoji of a safety code, from its indexes. */
export function drawnEmoji(safetyCode: readonly number[]): readonly DrawnEmoji[] {
  return safetyCode.flatMap((index) => {
    const emoji = safetyEmoji[index];
    if (emoji === undefined) return [];
    const key = keyOf(emoji.name);
    return [{ key, picture: pictures[`./safety-emoji/${key}.svg`] ?? "" }];
  });
}

/** "Thumbs Up" is `thumbs-up`; a test checks that every emoji has a translation. */
function keyOf(name: string): EmojiKey {
  return name.toLowerCase().replace(" ", "-") as EmojiKey;
}
