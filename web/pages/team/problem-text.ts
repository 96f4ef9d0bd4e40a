import type { Installation } from '../../app/api.gen.ts';
import { count, duration, type TimeWords } from '../../lib/format.ts';
import type { Words } from '../../words/index.ts';

export type InstallationProblem = Installation['problems'][number];

type ProblemTexts = Words['installation']['problems'];

const MIB = 2 ** 20;

/** Says a problem in the words of a language. */
export function problemText(
  { kind, subject, value, processes }: InstallationProblem,
  texts: ProblemTexts,
  time: TimeWords,
): string {
  const amount = amountOf(kind, value ?? 0, time);
  const parts: Record<string, string> = { amount, subject, processes: processes.join(', ') };
  const text = texts[kind === 'rounds_late' && !value ? 'half_late' : kind];
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => parts[name]!);
}

function amountOf(kind: InstallationProblem['kind'], value: number, time: TimeWords): string {
  if (kind === 'disk_low') return `${count(Math.floor(value / MIB), time.locale)}\u202fMiB`;
  if (kind === 'clock_off') return `${count(value, time.locale)}\u202fms`;
  if (kind === 'rounds_late' || kind === 'deliveries_waiting') return duration(value * 1_000, time);
  return count(value, time.locale);
}
