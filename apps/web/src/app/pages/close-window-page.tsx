import { useEffect } from "react";
import { useT } from "../../i18n/use-t.ts";

/** Closes the window if the browser allows it, otherwise shows a blank page. */
export function CloseWindowPage() {
  const t = useT();
  useEffect(() => {
    window.close();
    location.replace("about:blank");
  }, []);
  return (
    <main className="flex min-h-full flex-col items-center justify-center bg-surface p-5 text-center">
      <h1 className="text-heading">{t("closeWindow.title")}</h1>
      <p className="text-text-2">{t("closeWindow.line")}</p>
    </main>
  );
}
