/** Between two facts on one line; screen readers pause there anyway. */
export function Dot() {
  return (
    <span aria-hidden="true" className="mx-1.5">
      ·
    </span>
  );
}
