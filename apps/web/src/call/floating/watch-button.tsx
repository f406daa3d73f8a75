import { useLocation } from "wouter";
import { useT } from "../../i18n/use-t.ts";
import { Button, type ButtonProps } from "../../ui/button.tsx";
import { paths } from "../../wiring/paths.ts";

/** Shows the pictures of a call, on its page. */
export function WatchButton({ variant }: Pick<ButtonProps, "variant">) {
  const t = useT();
  const [, navigate] = useLocation();
  return (
    <Button variant={variant ?? "primary"} size="sm" onClick={() => navigate(paths.call.href)}>
      {t("call.watch")}
    </Button>
  );
}
