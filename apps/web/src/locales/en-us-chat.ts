/** The English words of an open conversation that no other page uses. */
export const enUsChat = {
  messageSearch: {
    open: "Search in conversation",
    field: "Search in this conversation",
    older: "Earlier match",
    newer: "Later match",
    close: "Close search",
    position: "{{position}} of {{total}}",
  },
  placeholder: {
    person: "Message {{name}}, or drop files",
    personTouch: "Message {{name}}",
    everyone: "Message everyone, or drop files",
    everyoneTouch: "Message everyone",
    away: "Message {{name}}. It waits until they are back.",
    awayShort: "Message {{name}} for later",
  },
  receipts: {
    title: "Who received it",
    titleFile: "Who accepted it",
    received: "received by {{received}} of {{total}}",
    count: {
      waiting: "waiting for {{count}}",
      accepted: "accepted by {{count}}",
      declined: "declined by {{count}}",
      cancelled: "cancelled for {{count}}",
      failed: "failed for {{count}}",
    },
    outcome: {
      waiting: "Waiting",
      accepted: "Accepted",
      complete: "Complete",
      declined: "Declined",
      cancelled: "Cancelled",
      failed: "Failed",
    },
  },
} as const;
