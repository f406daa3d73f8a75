import type { ReactNode } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { Collapsible } from "../../ui/collapsible.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { CopyIcon } from "../../ui/icons.ts";
import { useCopyText } from "../../wiring/use-copy-text.ts";
import type { Person } from "../use-person.ts";
import { TrafficSection } from "./traffic-section.tsx";
import type { ConnectionReport } from "./use-connection-report.ts";

interface TechnicalSectionProps {
  readonly person: Person;
  readonly connection: ConnectionReport;
}

/** A person's id, the traffic, and other details that are rarely needed. */
export function TechnicalSection({ person, connection }: TechnicalSectionProps) {
  const t = useT();
  return (
    <Collapsible title={t("personInfo.technical")} className="border-line border-t pt-1.5">
      <Details person={person} connection={connection} />
    </Collapsible>
  );
}

function CopyId({ id }: { readonly id: string }) {
  const t = useT();
  const copyText = useCopyText();
  return (
    <IconButton
      size="sm"
      iconSize={14}
      icon={CopyIcon}
      label={t("personInfo.copyId")}
      onClick={() => void copyText(id)}
    />
  );
}

function Details({ person: { id, contact }, connection: { report, traffic } }: TechnicalSectionProps) {
  const t = useT();
  const format = useFormat();
  const stats = traffic.last?.stats;
  const candidate = (type: string | null | undefined) => type ?? t("personInfo.unknown");
  return (
    <>
      <dl className="mt-3 grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1 text-meta text-text-2 max-md:grid-cols-1">
        <Fact
          name={t("personInfo.clientId")}
          value={
            <span className="flex items-center gap-2">
              <code className="min-w-0 break-all">{id}</code>
              <CopyId id={id} />
            </span>
          }
        />
        {contact && <Fact name={t("personInfo.met")} value={format.dateTime(contact.createdAt)} />}
        {stats && (
          <Fact
            name={t("personInfo.candidates")}
            value={t("personInfo.candidatePair", {
              local: candidate(stats.localCandidateType),
              remote: candidate(stats.remoteCandidateType),
            })}
          />
        )}
      </dl>
      {report && <TrafficSection traffic={traffic} />}
      {report && (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
          tabIndex={0}
          aria-label={t("personInfo.report")}
          className="mt-3 max-h-56 overflow-auto rounded-row bg-sunken p-3"
        >
          <pre className="font-mono text-text-2">{reportText(report)}</pre>
        </section>
      )}
    </>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="min-w-0 break-words text-text max-md:mb-1.5 max-md:tracking-tight">{value}</dd>
    </>
  );
}

function reportText(report: RTCStatsReport): string {
  const entries: unknown[] = [];
  report.forEach((entry: unknown) => {
    entries.push(entry);
  });
  return entries.map((entry) => JSON.stringify(entry, null, 1)).join("\n");
}
