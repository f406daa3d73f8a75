import { cpuOf, type Person } from "./person.ts";

/** The result of a transfer over a bare channel. */
export interface RawResult {
  readonly mbps: number;
  /** The fraction of the time in gaps over 50 ms between two messages. */
  readonly silentFraction: number;
  readonly megabytesPerCpuSecond: number;
}

/** The functions of the page for its driver. */
interface RawPage {
  offer(totalBytes: number, configuration: RTCConfiguration): Promise<RTCSessionDescriptionInit>;
  answer(
    offer: RTCSessionDescriptionInit,
    totalBytes: number,
    configuration: RTCConfiguration,
  ): Promise<RTCSessionDescriptionInit>;
  accept(answer: RTCSessionDescriptionInit): Promise<void>;
  outcome(): Promise<{ durationMs: number; silentFraction: number }>;
}
declare const raw: RawPage;

/** Moves bytes from worker to worker over one bare channel, in two otherwise idle browsers. */
export async function runRaw(
  url: string,
  sender: Person,
  receiver: Person,
  totalBytes: number,
  configuration: RTCConfiguration = {},
): Promise<RawResult> {
  const pages = [await sender.context.newPage(), await receiver.context.newPage()] as const;
  try {
    await Promise.all(pages.map((page) => page.goto(url)));
    const [from, to] = pages;
    const offer = await from.evaluate(([bytes, its]) => raw.offer(bytes, its), [
      totalBytes,
      configuration,
    ] as const);
    const cpuBeforeMs = await cpuOf([sender, receiver]);
    const answer = await to.evaluate(([description, bytes, its]) => raw.answer(description, bytes, its), [
      offer,
      totalBytes,
      configuration,
    ] as const);
    await from.evaluate((description) => raw.accept(description), answer);
    const { durationMs, silentFraction } = await to.evaluate(() => raw.outcome());
    const cpuMs = (await cpuOf([sender, receiver])) - cpuBeforeMs;
    return {
      mbps: totalBytes / 1e3 / durationMs,
      silentFraction,
      megabytesPerCpuSecond: totalBytes / 1e3 / cpuMs,
    };
  } finally {
    await Promise.all(pages.map((page) => page.close()));
  }
}
