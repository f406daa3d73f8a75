import { type Permissions, permissionEffect } from "@warren/core";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { useOptions, useWarren } from "../../wiring/warren-context.ts";
import { withErrorToast } from "../../wiring/with-error-toast.ts";
import type { Person } from "../use-person.ts";
import { SwitchLine } from "./switch-line.tsx";

/** What a contact may do without asking each time. */
export function PermissionsSection({ person }: { readonly person: Person }) {
  const t = useT();
  const format = useFormat();
  const { chat } = useWarren();
  const options = useOptions();
  const { id, firstName: name, contact } = person;
  const effect = permissionEffect(person, options);
  const isDisabled = effect === "not-verifiable";
  const reason = {
    allowed: undefined,
    blocked: undefined,
    "verified-only": t("personInfo.verifiedOnly"),
    "not-verifiable": t("personInfo.notVerifiable"),
  }[effect];
  const set = (change: Partial<Permissions>) => void withErrorToast(() => chat.permit(id, change));
  return (
    <section>
      <h3 className="text-meta text-text-2">{t("personInfo.unasked")}</h3>
      <SwitchLine
        label={t("personInfo.autoAccept", { name })}
        hint={reason ?? t("personInfo.autoAcceptHint", { size: format.limit(options.maxFileSize) })}
        isDisabled={isDisabled}
        isOn={contact?.autoAccept ?? false}
        onChange={(autoAccept) => set({ autoAccept })}
      />
      <SwitchLine
        label={t("personInfo.clipboardAllowed", { name })}
        hint={reason ?? t("personInfo.clipboardAllowedHint")}
        isDisabled={isDisabled}
        isOn={contact?.clipboardAllowed ?? false}
        onChange={(clipboardAllowed) => set({ clipboardAllowed })}
      />
    </section>
  );
}
