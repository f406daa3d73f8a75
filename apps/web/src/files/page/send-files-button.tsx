import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { useDevice } from "../../ui/device-context.tsx";
import { AddIcon } from "../../ui/icons.ts";
import { useForward } from "../forward/forward-dialog.tsx";

/** Picks files from the disk and asks for recipients. */
export function SendFilesButton() {
  const t = useT();
  const forward = useForward();
  const { pickFiles } = useDevice();
  const pick = async (): Promise<void> => {
    const files = await pickFiles({ multiple: true });
    if (files.length > 0) await forward(files.map((file) => ({ type: "file", file }) as const));
  };
  return (
    <Button icon={AddIcon} onClick={() => void pick()}>
      {t("files.send")}
    </Button>
  );
}
