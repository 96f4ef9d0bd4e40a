import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { SecretUnreadable } from '../../lib/secret-box.ts';
import { SEND_WITHIN_MS } from '../../net/mail.ts';
import type { ClaimedDestination } from '../../store/alerting/deliveries.ts';
import type { Database } from '../../store/database/contract.ts';
import type { ChannelTools } from '../channels/index.ts';
import type { Leases } from './leases.ts';
import type { NextMessage } from './next-message.ts';
import type { Recorded } from './outcome.ts';
import type { Attempted } from './retry.ts';

/** Sends to one kind of destination. */
export interface Sender {
  /** Sends what is due to a claimed destination while `mayContinue` allows, records the outcomes and releases it. */
  serve(claimed: ClaimedDestination, mayContinue: () => boolean): Promise<void>;
}

/** Dependencies of every sender. */
export interface SenderDependencies {
  database: Database;
  leases: Pick<Leases, 'lastsFor' | 'retryUntilRecorded'>;
  tools: ChannelTools;
  clock: Clock;
  log: Log;
  /** From 0 to below 1. */
  random: () => number;
  /** Aborts attempts, as the process stops. */
  stopping: AbortSignal;
  onRecorded(message: NextMessage, attempted: Attempted, recorded: Recorded): void;
  onExpired(claimed: ClaimedDestination, count: number): void;
}

/** Maximum duration of an attempt, whatever a provider takes: 20 mails to a slow server are more than one request. */
export const ATTEMPT_MS = { webhook: 15_000, channel: 60_000, mail: SEND_WITHIN_MS };

/** Replaces an outcome: the process stopped before there was one. */
export type Stopped = 'stopped';

export type SendOutcome = Omit<Attempted, 'at' | 'durationMs'>;

/** Makes one attempt to send to that destination. Never rejects. */
export async function makeAttempt(
  destination: number,
  { clock, log }: Pick<SenderDependencies, 'clock' | 'log'>,
  signal: AbortSignal,
  send: () => Promise<SendOutcome>,
): Promise<Attempted | Stopped> {
  const at = clock.now();
  const startedAt = clock.monotonic();
  const outcome = await send().catch((error: unknown) => {
    // The operator can repair this by giving the former key back.
    if (error instanceof SecretUnreadable) return failed(error.message);
    // Log: A fault of Tocsin. The delivery is tried again.
    log.error({ error, destination_id: destination }, 'A message could not be made.');
    return failed('An error in Tocsin kept this from being sent: its log says more.');
  });
  // An outcome that came before the stop counts all the same.
  if (signal.aborted && outcome.outcome === 'failed') return 'stopped';
  return { at, durationMs: Math.max(0, Math.round(clock.monotonic() - startedAt)), ...outcome };
}

function failed(reason: string): SendOutcome {
  return { outcome: 'failed', reason, statusCode: null, retryAfterMs: null, response: null };
}

/** Runs work whose signal aborts after that many milliseconds, and as the process stops. */
export async function withDeadline<Result>(
  { clock, stopping }: Pick<SenderDependencies, 'clock' | 'stopping'>,
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const end = new AbortController();
  const stop = (): void => end.abort('shutdown');
  stopping.addEventListener('abort', stop, { once: true });
  if (stopping.aborted) stop();
  const deadline = clock.after(milliseconds, () => end.abort('deadline'));
  try {
    return await work(end.signal);
  } finally {
    clock.clear(deadline);
    stopping.removeEventListener('abort', stop);
  }
}
