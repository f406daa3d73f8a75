import { type Permissions, permissionEffect } from "@warren/core";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { useRun } from "../../wiring/use-run.ts";
import { useOptions, useWarren } from "../../wiring/warren-context.tsx";
import type { Person } from "../use-person.ts";
import { SwitchLine } from "./switch-line.tsx";

/** What a client may do without asking each time. */
export function PermissionsSection({ person }: { readonly person: Person }) {
  const t = useT();
  const format = useFormat();
  const run = useRun();
  const { chat } = useWarren();
  const options = useOptions();
  const { id, firstName: name, contact } = person;
  const effect = permissionEffect(person, options);
  const isDisabled = effect === "not-verifiable";
  const reason = {
    allowed: undefined,
    blocked: undefined,
    "verified-only": t("clientInfo.verifiedOnly"),
    "not-verifiable": t("clientInfo.notVerifiable"),
  }[effect];
  const set = (change: Partial<Permissions>) => void run(() => chat.permit(id, change));
  return (
    <section>
      <h3 className="text-meta text-text-2">{t("clientInfo.unasked")}</h3>
      <SwitchLine
        label={t("clientInfo.autoAccept", { name })}
        hint={reason ?? t("clientInfo.autoAcceptHint", { size: format.size(options.maxFileSize) })}
        isDisabled={isDisabled}
        isOn={contact?.autoAccept ?? false}
        onChange={(autoAccept) => set({ autoAccept })}
      />
      <SwitchLine
        label={t("clientInfo.clipboardAllowed", { name })}
        hint={reason ?? t("clientInfo.clipboardAllowedHint")}
        isDisabled={isDisabled}
        isOn={contact?.clipboardAllowed ?? false}
        onChange={(clipboardAllowed) => set({ clipboardAllowed })}
      />
    </section>
  );
}
