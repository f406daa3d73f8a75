import type {
  NotificationAccess,
  NotificationContent,
  NotificationPress,
  Notifier,
} from "../platform/notifier.ts";

/** Notifications that nobody sees; the test grants them, and presses them. */
export interface FakeNotifier extends Notifier {
  /** Those that are shown, by tag. */
  readonly shown: ReadonlyMap<string, NotificationContent>;
  /** All that were shown since the beginning. */
  readonly notes: readonly NotificationContent[];
  /** How often the person was asked. */
  asked: number;
  /** What the person answers. */
  answer: NotificationAccess;
  setAccess(access: NotificationAccess): void;
  /** @returns whether the page comes to the front */
  press(press: NotificationPress): boolean;
}

export function fakeNotifier(access: NotificationAccess = "default"): FakeNotifier {
  const shown = new Map<string, NotificationContent>();
  const notes: NotificationContent[] = [];
  const pressListeners = new Set<(press: NotificationPress) => boolean>();
  const accessListeners = new Set<() => void>();
  const setAccess = (next: NotificationAccess): void => {
    access = next;
    for (const listener of accessListeners) listener();
  };
  return {
    shown,
    notes,
    asked: 0,
    answer: "granted",
    setAccess,
    access: () => access,
    onAccessChange: (listener) => {
      accessListeners.add(listener);
      return () => accessListeners.delete(listener);
    },
    async request() {
      this.asked++;
      setAccess(this.answer);
      return access;
    },
    show: async (note) => {
      notes.push(note);
      shown.set(note.tag, note);
    },
    close: (tag) => void shown.delete(tag),
    closeAll: () => shown.clear(),
    onPress: (listener) => {
      pressListeners.add(listener);
      return () => pressListeners.delete(listener);
    },
    press: (press) => {
      shown.delete(press.tag);
      return [...pressListeners].map((listener) => listener(press)).includes(true);
    },
  };
}
