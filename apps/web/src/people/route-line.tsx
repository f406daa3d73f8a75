import { cx } from "../ui/cx.ts";
import { useRouteText } from "./route-text.ts";
import type { Person } from "./use-person.ts";

interface RouteLineProps {
  readonly person: Pick<Person, "status" | "peer">;
  readonly className?: string;
  /** Where it stands beside lines of another size. */
  readonly size?: string;
}

/** The line under a person's name. A whole line beside other words: where it is too long for them, it ends in an ellipsis. */
export function RouteLine({ person, className, size = "text-meta" }: RouteLineProps) {
  return <span className={cx("block truncate", size, className)}>{useRouteText(person).full}</span>;
}

/** The line under a person's name, in fewer words where the column is narrow. The column needs a width of its own. */
export function FittingRouteLine({ size = "text-meta", ...props }: RouteLineProps) {
  const { person, className } = props;
  const { full, short } = useRouteText(person);
  if (full === short) return <RouteLine size={size} {...props} />;
  return (
    <span title={full} className={cx("@container block min-w-0", size, className)}>
      <span className="block truncate @max-[16.7em]:sr-only">{full}</span>
      <span aria-hidden="true" className="hidden truncate @max-[16.7em]:block">
        {short}
      </span>
    </span>
  );
}

/** The line beside other words in a row: only what is not as expected. Screen readers read all of it. */
export function BriefRouteLine({ person, className, size = "text-meta" }: RouteLineProps) {
  const { full, brief } = useRouteText(person);
  if (brief === null) return <span className="sr-only">{full}</span>;
  return (
    <span title={full} className={cx("shrink-0", size, className)}>
      {full !== brief && <span className="sr-only">{full}</span>}
      <span aria-hidden={full !== brief}>{brief}</span>
    </span>
  );
}
