import type { Clock } from "../ports/clock.ts";
import { type SealedLinksDeps, SealedSignalLinks } from "./sealed-signal-links.ts";

/** How long a server lets a newcomer wait for a person; after that it no longer receives anything. */
const admissionTimeoutMs = 60_000;

/**
 * Lets a newcomer prove that it knows the room's password, with one run of the handshake.
 * @throws WarrenError `incorrect-password`, `handshake-failed`, or `connection-closed` if it did not answer in time.
 */
export function greetNewcomer(deps: SealedLinksDeps, clock: Clock, gone?: AbortSignal): Promise<void> {
  return within(clock, deps, async (links) => {
    const link = links.start();
    const close = () => links.close();
    gone?.addEventListener("abort", close);
    try {
      await link.opened;
      await link.proven;
    } finally {
      gone?.removeEventListener("abort", close);
    }
  });
}

/** Proves to a member that we know the password; the member starts the run. @throws as {@link greetNewcomer}. */
export function proveToGreeter(deps: SealedLinksDeps, clock: Clock): Promise<void> {
  return within(
    clock,
    deps,
    (links) =>
      new Promise((resolve, reject) => {
        let invitations = 0;
        const answer = () => {
          const invitation = ++invitations;
          // A greeter that starts again has ended the previous run, which does not test the password.
          const fail = (reason: unknown) => {
            if (invitation === invitations) reject(reason);
          };
          links.accept().opened.then(resolve, fail);
        };
        links.on("invite", answer);
        if (links.isInvited) answer();
      }),
  );
}

async function within(
  clock: Clock,
  deps: SealedLinksDeps,
  run: (links: SealedSignalLinks) => Promise<void>,
): Promise<void> {
  const links = new SealedSignalLinks(deps);
  const cancel = clock.after(admissionTimeoutMs, () => links.close());
  try {
    await run(links);
  } finally {
    cancel();
    links.close();
  }
}
