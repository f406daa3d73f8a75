import { useT } from "../i18n/use-t.ts";
import { useProfile } from "../ui/warren-context.tsx";
import { ArrivalCard, type ArrivalCardProps } from "./arrival-card.tsx";
import { ArrivalFrame } from "./arrival-frame.tsx";

/** The page for a user with a room to join, from a link or from before. */
export function ArrivalPage(props: ArrivalCardProps) {
  const t = useT();
  const { roomId } = useProfile();
  return (
    <ArrivalFrame title={t("arrival.title", { room: props.invite?.roomId ?? roomId })}>
      <ArrivalCard {...props} />
    </ArrivalFrame>
  );
}
