import { errorText } from "../../i18n/i18n.ts";
import { useT } from "../../i18n/use-t.ts";
import { Tag } from "../../ui/badge.tsx";
import { OwnAvatar, PersonAvatar } from "../person-avatar.tsx";
import { RouteHelp } from "../route-help.tsx";
import { routeText } from "../route-text.ts";
import type { Person } from "../use-person.ts";

interface RouteSectionProps {
  readonly person: Person;
  /** The latest measurement; null while unknown. */
  readonly roundTripMs: number | null;
  /** Another page is opened. */
  readonly onLeave: () => void;
}

/** The network route to a peer, in words. */
export function RouteSection({ person, roundTripMs, onLeave }: RouteSectionProps) {
  const t = useT();
  const { route = null, error = null } = person.peer ?? {};
  return (
    <section aria-label={t("personInfo.route")}>
      <div className="flex items-center gap-3 max-[360px]:gap-1.5">
        <OwnAvatar size={28} />
        <Line isThere={route !== null} />
        {route === null ? (
          <Tag>{t("personInfo.notConnected")}</Tag>
        ) : (
          <>
            {route.kind === "relayed" && <RelayDot />}
            <Tag tone={route.kind === "relayed" ? "plain" : "accent"}>{routeText(route, roundTripMs, t)}</Tag>
          </>
        )}
        <Line isThere={route !== null} />
        <PersonAvatar id={person.id} name={person.name} avatar={person.avatar} size={28} />
      </div>
      {route === null && error !== null && (
        <div className="mt-2 flex flex-wrap items-center justify-between gap-2">
          <p className="min-w-0 flex-1 text-meta text-text-2">{errorText(error)}</p>
          <RouteHelp person={person} onLeave={onLeave} />
        </div>
      )}
      {route !== null && (
        <p className="mt-2 text-meta text-text-2 tabular-nums">
          {t(route.kind === "relayed" ? "personInfo.relayed" : "personInfo.direct")}
        </p>
      )}
    </section>
  );
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
