import { starterId } from "@warren/core";
import { Link } from "wouter";
import { Wordmark } from "../brand/logo.tsx";
import { useT } from "../i18n/use-t.ts";
import { Dialog } from "../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../ui/overlays/dialog-control.ts";
import { paths } from "../wiring/paths.ts";
import { useStore, useWarren } from "../wiring/warren-context.ts";
import { BuildFacts, BuildNotes, BuildSources } from "./build-facts.tsx";
import { FirstSteps } from "./first-steps.tsx";

interface AboutDialogProps extends DialogSlot<never> {
  readonly topic?: "about" | "how-it-works";
}

const steps = ["meet", "direct", "password", "relay"] as const;

interface HowItWorksProps {
  /** Closes the dialog. */
  readonly onLeave: () => void;
}

/** Leads to the welcome, which leaves the list of people once somebody was met. */
function WelcomeLink({ onFollow }: { readonly onFollow: () => void }) {
  const t = useT();
  const { chat } = useWarren();
  const isThere = useStore(chat.store, ({ contacts }) => contacts[starterId] !== undefined);
  if (!isThere) return null;
  return (
    <p className="mt-3 text-body">
      <Link to={paths.chat.href(starterId)} className="text-accent-text underline" onClick={onFollow}>
        {t("howItWorks.welcome")}
      </Link>
    </p>
  );
}

function HowItWorks({ onLeave }: HowItWorksProps) {
  const t = useT();
  return (
    <>
      <ol className="mt-2 flex list-none flex-col gap-2 text-body text-text-2">
        {steps.map((step) => (
          <li key={step}>{t(`howItWorks.${step}`)}</li>
        ))}
      </ol>
      <h3 className="mt-5 mb-3 text-heading-sm">{t("firstSteps.title")}</h3>
      <FirstSteps />
      <WelcomeLink onFollow={onLeave} />
      <h3 className="mt-5 text-heading-sm">{t("howItWorks.limitsTitle")}</h3>
      <ul className="mt-2 flex flex-col gap-2 text-body text-text-2">
        <li>{t("howItWorks.limitServer")}</li>
        <li>{t("howItWorks.limitMembers")}</li>
        <li>{t("firstSteps.limits")}</li>
      </ul>
    </>
  );
}

function Build() {
  return (
    <section className="mt-4 flex flex-col gap-4">
      <Wordmark />
      <BuildFacts />
      <BuildSources />
      <BuildNotes className="border-line border-t pt-4" />
    </section>
  );
}

/** The build information, or how Warren works and what it does and does not protect. */
export function AboutDialog({ dialog, topic = "about" }: AboutDialogProps) {
  const t = useT();
  const title = topic === "about" ? t("about.title") : t("howItWorks.title");
  return (
    <Dialog dialog={dialog} initialFocus="top" title={title} closable>
      {topic === "about" ? <Build /> : <HowItWorks onLeave={dialog.cancel} />}
    </Dialog>
  );
}
