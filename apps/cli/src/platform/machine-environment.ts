import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";
import { type Clock, type Environment, systemClock } from "@warren/core";

const checkPeriodMs = 5_000;
/** A check this late means that the machine slept. */
const sleepGapMs = 60_000;

type Interfaces = NodeJS.Dict<readonly Pick<NetworkInterfaceInfo, "address" | "internal">[]>;

/** The network of this machine: Node reports no changes of it, so it is polled. The program says itself that it leaves. */
export function environmentOf(
  clock: Pick<Clock, "now" | "every">,
  interfaces: () => Interfaces,
): Environment {
  return { on: (event, listener) => (event === "wake" ? followWake(listener) : () => {}) };

  function followWake(callback: () => void): () => void {
    let addresses = addressesIn(interfaces());
    let checkedAt = clock.now();
    return clock.every(checkPeriodMs, () => {
      const before = { addresses, checkedAt };
      addresses = addressesIn(interfaces());
      checkedAt = clock.now();
      const isOther = addresses !== "" && addresses !== before.addresses;
      if (isOther || checkedAt - before.checkedAt > sleepGapMs) callback();
    });
  }
}

export const machineEnvironment = environmentOf(systemClock, networkInterfaces);

/** The addresses under which others may reach this machine, as one text. */
function addressesIn(interfaces: Interfaces): string {
  return Object.values(interfaces)
    .flatMap((addresses = []) => addresses)
    .filter(({ internal }) => !internal)
    .map(({ address }) => address)
    .sort()
    .join(" ");
}
