import { useRef } from "react";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { AddIcon } from "../../ui/icons.tsx";
import { useForward } from "../forward/use-forward.ts";

/** Picks files from the disk and asks for recipients. */
export function SendFilesButton() {
  const t = useT();
  const forward = useForward();
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon={AddIcon} onClick={() => picker.current?.click()}>
        {t("files.send")}
      </Button>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          const items = [...(target.files ?? [])].map((file) => ({ type: "file", file }) as const);
          // Reset, so that the same file can be picked again.
          target.value = "";
          if (items.length > 0) void forward(items);
        }}
      />
    </>
  );
}
