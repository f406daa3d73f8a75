import { TrustedPeople, type TrustedPerson } from "../platform/trusted-people.ts";
import { safetyCodeText } from "../terminal/events.ts";
import { CommandError, exitCodes } from "../terminal/exit-code.ts";
import { formatMoment, printable } from "../terminal/format.ts";
import type { CommandContext } from "./context.ts";
import { readRoomLink } from "./server-address.ts";
import { Waiting } from "./waiting.ts";

/** `warren trust`: lists whom this machine trusts, adds who made a link, or removes somebody. */
export async function trust(context: CommandContext): Promise<void> {
  const { operands, options, report, data } = context;
  const [address, ...rest] = operands;
  const trusted = new TrustedPeople(data.path);
  if (rest.length > 0 || (address !== undefined && options.remove !== undefined))
    throw new CommandError("Name one link, or somebody with --remove.");
  if (address !== undefined) return confirmKey(context, address, trusted);
  if (options.remove !== undefined) {
    const { id, name } = personCalled(options.remove, trusted);
    trusted.remove(id);
    report.event({ event: "distrusted", id, name });
  } else list(context, trusted.all());
}

/** Whom of the trusted people a name or the beginning of an id means. @throws CommandError if nobody or several */
export function personCalled(who: string, trusted: TrustedPeople): TrustedPerson {
  const [person, ...others] = trusted.find(who);
  if (person === undefined)
    throw new CommandError(`${who} is not trusted here. \`warren trust LINK\` confirms somebody's key.`);
  if (others.length > 0)
    throw new CommandError(
      `Several trusted people are called ${who}: use the beginning of an id, which \`warren trust\` lists.`,
    );
  return person;
}

function list({ options, report, streams }: CommandContext, people: readonly TrustedPerson[]): void {
  if (people.length === 0) report.line("Nobody is trusted here.");
  for (const person of people) {
    const { id, name, since } = person;
    if (options.json) report.event({ event: "trusted", ...person });
    else streams.stdout.write(`${id}  ${formatMoment(Date.parse(since))}  ${printable(name)}\n`);
  }
}

async function confirmKey(context: CommandContext, address: string, trusted: TrustedPeople): Promise<void> {
  const { options, report, signal } = context;
  const link = readRoomLink(address, options.signalling);
  if (link.by === null && !report.canAsk)
    throw new CommandError(
      "The link does not name who made it, and nobody can compare a safety code here: run this at a terminal.",
    );
  await context.withProfile(null, async (profile) => {
    const room = { roomId: link.roomId, password: link.password, servers: link.servers };
    const session = await context.openSession({ profile, server: link.server, room });
    try {
      // Without the key of this id nobody passes for its owner.
      if (link.by !== null) session.warren.invitations.pin(link.by);
      await session.join();
      report.event({ event: "joined", room: link.roomId });
      const waiting = new Waiting(report);
      const peer = await session.until(
        () => {
          const found = session.readyPeers().find(({ clientId }) => link.by === null || clientId === link.by);
          if (found === undefined) waiting.note({ for: "somebody", name: null });
          return found;
        },
        { reach: () => true },
      );
      const name = session.nameOf(peer.clientId);
      if (peer.proof?.verifiable !== true)
        throw new CommandError(`${name} has no key that could be trusted.`, exitCodes.refused);
      if (link.by === null) {
        const code = safetyCodeText(peer.proof.safetyCode);
        const isSame = await report.confirm(`Does ${name} see the same safety code? ${code}`, signal);
        if (!isSame) throw new CommandError("Not trusted.", exitCodes.refused);
      }
      report.event({ event: "trusted", ...trusted.add(peer.clientId, name) });
    } finally {
      await session.close();
    }
  });
}
