import { buildJoinLink } from "@warren/core";
import qrcode from "qrcode";
import type { ServerAddress } from "./server-address.ts";
import type { Session } from "./session.ts";

/** Shows the link to the room that we are in, which names us as its creator, and its QR code. */
export async function showLink(
  { warren, report }: Session,
  server: ServerAddress,
  { resumed }: { readonly resumed: boolean },
): Promise<void> {
  const { roomId, password, clientId } = warren.profile.get();
  const servers = { stuns: [], turns: [] };
  const link = buildJoinLink(server.home, { roomId, password, servers, by: clientId });
  report.event({ event: "link", link, resumed });
  report.picture(await qrcode.toString(link, { type: "utf8", errorCorrectionLevel: "M" }));
}
