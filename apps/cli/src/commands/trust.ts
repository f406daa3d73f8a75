import { TrustedPeople } from "../platform/trusted-people.ts";
import { safetyCodeText } from "../terminal/events.ts";
import { CommandError, exitCodes } from "../terminal/exit-code.ts";
import type { CommandContext } from "./context.ts";
import { readRoomLink } from "./server-address.ts";
import { Waiting } from "./waiting.ts";

/** `warren trust LINK` */
export async function trust(context: CommandContext): Promise<void> {
  const { operands, options, report, data, signal } = context;
  const [address, ...rest] = operands;
  if (address === undefined || rest.length > 0) throw new CommandError("Name one link.");
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
      new TrustedPeople(data.path).add(peer.clientId, name);
      report.event({ event: "trusted", id: peer.clientId, name });
    } finally {
      await session.close();
    }
  });
}
