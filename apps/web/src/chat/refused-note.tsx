import type { ConversationId } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useShallow } from "zustand/react/shallow";
import { useT } from "../i18n/use-t.ts";
import { usePerson } from "../people/use-person.ts";
import { Banner } from "../ui/banner.tsx";
import { AlertIcon } from "../ui/icons.ts";
import { useStore, useWarren } from "../ui/warren-context.tsx";

/** Shows which clients had their messages refused, and what helps. */
export function RefusedNotes({ conversationId }: { readonly conversationId: ConversationId }) {
  const { chat } = useWarren();
  const refused = useStore(
    chat.store,
    useShallow(({ storageUsage, contacts }) =>
      Object.entries(storageUsage).flatMap(([id, usage]) =>
        usage?.refusedIn.includes(conversationId) && contacts[id]?.trustLevel !== "verified" ? [id] : [],
      ),
    ),
  );
  return refused.map((id) => <RefusedNote key={id} clientId={id} />);
}

function RefusedNote({ clientId }: { readonly clientId: ClientId }) {
  const t = useT();
  const { name } = usePerson(clientId);
  return (
    <Banner tone="warn" icon={AlertIcon}>
      {t("conversation.refused", { name })}
    </Banner>
  );
}
