export interface StoredSpan {
  status: string;
  from_at: number;
  to_at: number | null;
}

/** What is wrong with a monitor's spans: they follow one another without a gap, and the last is what holds now. */
export function spanFaults(spans: StoredSpan[], state: { status: string }): string[] {
  const faults: string[] = [];
  spans.forEach((span, index) => {
    const next = spans[index + 1];
    const text = `span ${span.status} from ${span.from_at} to ${span.to_at}`;
    if (span.to_at === null && next) faults.push(`${text} has not ended, but another follows`);
    if (span.to_at !== null && !next) faults.push(`${text} ended and nothing follows`);
    if (span.to_at !== null && span.to_at < span.from_at) faults.push(`${text} runs backwards`);
    if (next && span.to_at !== next.from_at)
      faults.push(`${text} is followed by one from ${next.from_at}`);
  });
  const last = spans.at(-1);
  const now = last?.status ?? 'pending';
  if (now !== state.status && now !== 'unobserved')
    faults.push(`the newest span is ${now}, the status ${state.status}`);
  return faults;
}

/**
 * A monitor was worse since the first result of the trouble that made it so, and better since the first good one
 * after the last trouble that is over: downtime and incidents tell the same story. Null when they do.
 */
export function beginningFault(
  spans: StoredSpan[],
  status: { before: string; now: string },
  times: { opened: number[]; ended: number[] },
): string | null {
  const isWorse = BADNESS.indexOf(status.now) > BADNESS.indexOf(status.before);
  const causes = isWorse ? times.opened : times.ended;
  const last = spans.at(-1);
  if (causes.length === 0 || !last) return null;
  const cause = isWorse ? Math.min(...causes) : Math.max(...causes);
  // What was said before can't be undone.
  const expected = Math.max(cause, spans.at(-2)?.from_at ?? cause);
  if (last.from_at === expected) return null;
  return `it is ${status.now} since ${last.from_at}, but what made it so was at ${expected}`;
}

const BADNESS = ['pending', 'online', 'degraded', 'offline'];
