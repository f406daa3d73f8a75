import { useT } from "../../i18n/use-t.ts";
import { messageOf } from "../../platform/message-of.ts";
import { usePlatform } from "../../wiring/platform-context.ts";
import { toast } from "../../wiring/toast.ts";

/** The id of the toast about the last copied link: a new room copies its own, and a person may once more. */
const copyToast = "link/copy";

interface LinkActions {
  /** Copies a link and shows the result. @returns whether it was copied. */
  copy(link: string): Promise<boolean>;
  /** Opens the system's share sheet; null if there is none. */
  readonly share: ((link: string, title: string) => Promise<void>) | null;
}

/** Copies and shares links, with their toasts. */
export function useLinkActions(): LinkActions {
  const t = useT();
  const { writeClipboard, shareLink } = usePlatform();
  return {
    async copy(link) {
      const write = await writeClipboard(link);
      if (write.status === "written" || write.status === "queued") {
        toast.success(t("toast.link_copy_success"), { id: copyToast, quote: withoutSecrets(link) });
        return true;
      }
      const reason = write.status === "unsupported" ? t("unsupported.https") : write.reason;
      toast.error(t("toast.link_copy_failed"), { id: copyToast, description: reason });
      return false;
    },
    share:
      shareLink &&
      (async (link, title) => {
        try {
          await shareLink({ title, url: link });
        } catch (failure) {
          const error = messageOf(failure);
          toast.error(t("toast.shareFailed", { error }));
        }
      }),
  };
}

/** The displayable part of a link: no scheme, no secrets. */
function withoutSecrets(link: string): string {
  const [address = ""] = link.replace(/^https?:\/\//, "").split("#");
  return address;
}
