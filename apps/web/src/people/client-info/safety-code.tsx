import { safetyCodeNumbers } from "@warren/core";
import { useT } from "../../i18n/use-t.ts";
import { drawnEmoji } from "./safety-emoji.ts";

/** Seven emoji with their names below. */
export function SafetyCode({ safetyCode }: { readonly safetyCode: readonly number[] }) {
  const t = useT();
  return (
    <ol
      aria-label={t("clientInfo.code")}
      className="flex flex-wrap justify-center gap-y-3 rounded-menu bg-sunken px-2 py-4"
    >
      {drawnEmoji(safetyCode).map(({ key, picture }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an emoji may occur twice, and the order never changes
        <li key={place} className="flex w-1/7 min-w-0 flex-col items-center gap-2 max-md:w-1/4">
          <img src={picture} alt="" width={30} height={30} className="size-[30px]" />
          <span className="text-micro text-text-2">{t(`emoji.${key}`)}</span>
        </li>
      ))}
    </ol>
  );
}

/** The same code as three numbers, for reading aloud. */
export function SafetyNumbers({ safetyCode }: { readonly safetyCode: readonly number[] }) {
  const t = useT();
  const numbers = safetyCodeNumbers(safetyCode).join(" ");
  return <p className="text-meta text-text-2 tabular-nums">{t("clientInfo.numbers", { numbers })}</p>;
}
