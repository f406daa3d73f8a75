/** What the doctor examines, in the order in which it is read. */
export const doctorSteps = [
  "page",
  "signalling",
  "addresses",
  "stun",
  "nat",
  "turn",
  "loopback",
  "storage",
  "camera",
  "microphone",
] as const;
export type DoctorStep = (typeof doctorSteps)[number];

/** `limited`: some things do not work, or not with everybody; `unknown`: nothing is known to be wrong. */
export type DoctorOutcome = "good" | "limited" | "bad" | "unknown";

/** Every cause the doctor can name, with the step it belongs to and what it means. */
const causes = {
  "page-secure": ["page", "good"],
  "page-insecure": ["page", "bad"],
  "signalling-reached": ["signalling", "good"],
  "signalling-slow": ["signalling", "limited"],
  "signalling-silent": ["signalling", "bad"],
  "webrtc-blocked": ["addresses", "bad"],
  "addresses-none": ["addresses", "bad"],
  "addresses-hidden": ["addresses", "good"],
  "addresses-shown": ["addresses", "good"],
  "local-network-asks": ["addresses", "limited"],
  "local-network-blocked": ["addresses", "bad"],
  "stun-none": ["stun", "limited"],
  "stun-answers": ["stun", "good"],
  "stun-silent": ["stun", "bad"],
  "stun-refused": ["stun", "bad"],
  "nat-none": ["nat", "good"],
  "nat-same-port": ["nat", "good"],
  "nat-other-port": ["nat", "limited"],
  "nat-unknown": ["nat", "unknown"],
  "turn-none": ["turn", "limited"],
  "turn-works": ["turn", "good"],
  "turn-other-way": ["turn", "limited"],
  "turn-silent": ["turn", "bad"],
  "turn-sign-in": ["turn", "bad"],
  "turn-refused": ["turn", "bad"],
  "loopback-fast": ["loopback", "good"],
  "loopback-slow": ["loopback", "limited"],
  "loopback-fails": ["loopback", "bad"],
  "storage-good": ["storage", "good"],
  "storage-small": ["storage", "limited"],
  "storage-fleeting": ["storage", "limited"],
  "storage-slow": ["storage", "limited"],
  "storage-none": ["storage", "bad"],
  "camera-allowed": ["camera", "good"],
  "camera-asks": ["camera", "good"],
  "camera-blocked": ["camera", "limited"],
  "camera-missing": ["camera", "unknown"],
  "microphone-allowed": ["microphone", "good"],
  "microphone-asks": ["microphone", "good"],
  "microphone-blocked": ["microphone", "limited"],
  "microphone-missing": ["microphone", "unknown"],
} as const satisfies Record<string, readonly [DoctorStep, DoctorOutcome]>;

/** `unanswered`: the platform gave no answer, in any step. */
export type DoctorCause = keyof typeof causes | "unanswered";

/** One finding of a step, which may have several: one for each server. */
export interface DoctorVerdict {
  readonly step: DoctorStep;
  readonly outcome: DoctorOutcome;
  readonly cause: DoctorCause;
  /** For the sentence that names the cause. */
  readonly values: Readonly<Record<string, string | number>>;
}

export function verdict(cause: keyof typeof causes, values: DoctorVerdict["values"] = {}): DoctorVerdict {
  const [step, outcome] = causes[cause];
  return { step, outcome, cause, values };
}

export function unanswered(step: DoctorStep): DoctorVerdict {
  return { step, outcome: "unknown", cause: "unanswered", values: {} };
}

/** All causes, and what each means: whoever shows them needs words for each, and a next step where all is not well. */
export const doctorCauses: ReadonlyMap<DoctorCause, DoctorOutcome> = new Map<DoctorCause, DoctorOutcome>([
  ...Object.entries(causes).map(([cause, [, outcome]]) => [cause as keyof typeof causes, outcome] as const),
  ["unanswered", "unknown"],
]);
