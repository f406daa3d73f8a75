import type { RoomTag } from "@warren/protocol";
import { type Attachment, type Draft, emptyDraft } from "../../tab/drafts.ts";
import type { Send } from "./use-send.ts";

/** Whether the text of a draft is the caption of its picture, which then goes first. */
function isCaptioned({ text, about, attachments: [only, ...others] }: Draft): boolean {
  const isPicture = only?.kind === "file" && only.file.type.startsWith("image/");
  return isPicture && others.length === 0 && text.trim() !== "" && about === undefined;
}

interface Sending {
  readonly send: Send;
  /** The room that we were in when the user sent it. */
  readonly room: RoomTag;
  /** Whether what is meant for that room may still be sent. */
  readonly isHere: () => boolean;
}

/** Sends the parts of a draft one after another. @returns the draft of what was not sent. */
export async function sendDraft(draft: Draft, { send, room, isHere }: Sending): Promise<Draft> {
  const sendText = async () => draft.text.trim() === "" || (await send.text(draft.text, draft.about?.key));
  const sendItems = async (): Promise<readonly Attachment[]> => {
    const items = {
      files: draft.attachments.flatMap((each) => (each.kind === "file" ? [each.file] : [])),
      folders: draft.attachments.flatMap((each) => (each.kind === "folder" ? [each.folder] : [])),
    };
    const { files, folders } = await send.items(items, room);
    return draft.attachments.filter((each) =>
      each.kind === "file" ? files.includes(each.file) : folders.includes(each.folder),
    );
  };
  if (isCaptioned(draft)) {
    if ((await sendItems()).length > 0) return draft;
    return isHere() && (await sendText()) ? emptyDraft : { ...draft, attachments: [] };
  }
  return (await sendText()) ? { text: "", attachments: await sendItems() } : draft;
}
