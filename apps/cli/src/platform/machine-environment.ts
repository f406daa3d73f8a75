import { networkInterfaces } from "node:os";
import type { Environment } from "@warren/core";

const checkPeriodMs = 5_000;
/** A check this late means that the machine slept. */
const sleepGapMs = 60_000;

/** The network of this machine: Node reports no changes of it, so it is polled. The program says itself that it leaves. */
export const machineEnvironment: Environment = {
  on: (event, listener) => (event === "wake" ? followWake(listener) : () => {}),
};

function followWake(callback: () => void): () => void {
  let addresses = addressesNow();
  let checkedAt = Date.now();
  const timer = setInterval(() => {
    const before = { addresses, checkedAt };
    addresses = addressesNow();
    checkedAt = Date.now();
    const isOther = addresses !== "" && addresses !== before.addresses;
    if (isOther || checkedAt - before.checkedAt > sleepGapMs) callback();
  }, checkPeriodMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** The addresses under which others may reach this machine, as one text. */
function addressesNow(): string {
  return Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ internal }) => !internal)
    .map(({ address }) => address)
    .sort()
    .join(" ");
}
