import { useLocation } from "wouter";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { paths } from "../wiring/paths.ts";

const addTurn = { form: "turn" } as const;

/** Whether the history state says that the settings were opened to add a TURN server. */
export function isAddTurn(state: unknown): boolean {
  return typeof state === "object" && state !== null && "form" in state && state.form === addTurn.form;
}

/** Opens the connection settings with the form for a new TURN server expanded. */
export function AddTurnButton() {
  const t = useT();
  const [, navigate] = useLocation();
  return (
    <Button size="sm" onClick={() => navigate(`${paths.settings.href}#connection`, { state: addTurn })}>
      {t("connection.addTurn")}
    </Button>
  );
}
