import type { Route } from "@warren/core";
import { joinSentences } from "../../i18n/spacing.ts";
import { useT } from "../../i18n/use-t.ts";
import { Tag } from "../../ui/badge.tsx";
import { ClientAvatar, OwnAvatar } from "../client-avatar.tsx";
import type { Person } from "../use-person.ts";

const names = {
  "direct-local": "connection.directNetwork",
  "direct-internet": "connection.direct",
  relayed: "connection.relayed",
} as const;

interface RouteSectionProps {
  readonly person: Person;
  /** The latest measurement; null while unknown. */
  readonly roundTripMs: number | null;
}

/** The network route to a client, in words. */
export function RouteSection({ person, roundTripMs }: RouteSectionProps) {
  const t = useT();
  const route = person.peer?.route ?? null;
  return (
    <section>
      <h3 className="text-meta text-text-2">{t("clientInfo.route")}</h3>
      <div className="mt-2 flex items-center gap-3">
        <OwnAvatar size={28} />
        <Line isThere={route !== null} />
        {route === null ? (
          <Tag>{t("clientInfo.notConnected")}</Tag>
        ) : (
          <>
            {route.kind === "relayed" && <RelayDot />}
            <Tag tone={route.kind === "relayed" ? "plain" : "accent"}>{t(names[route.kind])}</Tag>
          </>
        )}
        <Line isThere={route !== null} />
        <ClientAvatar clientId={person.id} name={person.name} avatar={person.avatar} size={28} />
      </div>
      {route !== null && (
        <p className="mt-2 text-meta text-text-2 tabular-nums">
          <Carrier route={route} roundTripMs={roundTripMs} />
        </p>
      )}
    </section>
  );
}

function Carrier({
  route: { kind, relayHost },
  roundTripMs,
}: Pick<RouteSectionProps, "roundTripMs"> & { readonly route: Route }) {
  const t = useT();
  const carrier =
    kind === "relayed"
      ? t("clientInfo.relayed", { host: relayHost ?? t("clientInfo.relay") })
      : t("clientInfo.direct");
  return roundTripMs === null
    ? carrier
    : joinSentences([carrier, t("clientInfo.roundTrip", { time: roundTripMs })]);
}

function Line({ isThere }: { readonly isThere: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={isThere ? "h-0.5 flex-1 rounded-full bg-accent" : "h-px flex-1 bg-line-2"}
    />
  );
}

function RelayDot() {
  return <span aria-hidden="true" className="size-2.5 shrink-0 rounded-full bg-accent" />;
}
