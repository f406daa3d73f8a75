import { firstNameOf } from "../people/shown-name.ts";
import { useNameOf } from "../people/use-person.ts";

/** Returns a function that gives a client's first name, also after the client left. */
export function useFirstNameOf(): (clientId: string) => string {
  const nameOf = useNameOf();
  return (clientId) => firstNameOf(nameOf(clientId));
}
