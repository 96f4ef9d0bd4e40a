export interface StoredSpan {
  status: string;
  from_at: number;
  to_at: number | null;
}

/** Faults of a monitor's status spans: they must be contiguous, and the last one must match its status. */
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
 * Checks where the newest span begins: with the first result of the condition that made the status worse, or with the
 * first good result after the last condition that ended. Returns the fault, or null. Unobserved time may shift it.
 * `previousFrom` is the start of the previously newest span.
 */
export function beginningFault(
  spans: StoredSpan[],
  status: { before: string; now: string },
  times: { opened: number[]; ended: number[] },
  previousFrom: number | null = null,
): string | null {
  const isWorse = SEVERITY_ORDER.indexOf(status.now) > SEVERITY_ORDER.indexOf(status.before);
  const causes = isWorse ? times.opened : times.ended;
  const last = spans.at(-1);
  if (causes.length === 0 || !last) return null;
  const cause = isWorse ? Math.min(...causes) : Math.max(...causes);
  // Spans that were already recorded are not changed.
  const notBefore = (before: StoredSpan | undefined) =>
    Math.max(cause, before?.from_at ?? cause, previousFrom ?? cause);
  if (last.from_at === notBefore(spans.at(-2))) return null;
  const [before, begun, gap] = [spans.at(-4), spans.at(-3), spans.at(-2)];
  const wasInterrupted = gap?.status === 'unobserved' && last.from_at > cause;
  if (wasInterrupted && begun?.status !== status.now) return null;
  if (wasInterrupted && begun?.from_at === notBefore(before)) return null;
  return `it is ${status.now} since ${last.from_at}, but what made it so was at ${cause}`;
}

const SEVERITY_ORDER = ['pending', 'online', 'degraded', 'offline'];
