import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { SecretUnreadable, type SecretBox } from '../../lib/secret-box.ts';
import { SEND_WITHIN_MS } from '../../net/mail.ts';
import { lockDestination, type ClaimedDestination } from '../../store/alerting/claims.ts';
import { queueOf } from '../../store/alerting/deliveries.ts';
import type { Database, Tx } from '../../store/database/contract.ts';
import type { AlertLinks } from '../message/alert-link.ts';
import type { ChannelOutcome, ChannelTools, ChannelType } from '../channels/index.ts';
import type { Leases } from './leases.ts';
import type { NextMessage } from './next-message.ts';
import type { Recorded } from './outcome.ts';
import type { Attempted } from './retry.ts';

export interface Sender {
  /** Sends what is due to a claimed destination while `mayContinue` allows, records the outcomes and releases it. */
  serve(claimed: ClaimedDestination, mayContinue: () => boolean): Promise<void>;
}

export interface DeliveryDependencies {
  database: Database;
  secretBox: SecretBox;
  /** Its `http` also sends to webhook endpoints, and its `mailer` mails to people. */
  tools: ChannelTools;
  links: AlertLinks;
  /** The token of a subscriber in the links that change and end its subscription. */
  subscriptionToken(subscriberId: number): string;
  clock: Clock;
  log: Log;
  random: () => number;
  version: string;
  /** OPEN_SIGNUP: mails of teams go only to members then. */
  openSignup: boolean;
  /** Looks up the type of a channel; undefined for one that this version does not know. */
  channelType?: (type: string) => ChannelType | undefined;
  intervalMs?: number;
}

export interface SenderDependencies extends DeliveryDependencies {
  channelType: (type: string) => ChannelType | undefined;
  leases: Pick<Leases, 'lastsFor' | 'retryUntilRecorded'>;
  /** Aborts attempts, as the process stops. */
  stopping: AbortSignal;
  onRecorded(message: NextMessage, attempted: Attempted, recorded: Recorded): void;
  onExpired(claimed: ClaimedDestination, count: number): void;
}

/** Maximum duration of an attempt, whatever a provider takes: 20 mails to a slow server are more than one request. */
export const ATTEMPT_MS = { webhook: 15_000, channel: 60_000, mail: SEND_WITHIN_MS };

export type Stopped = 'stopped';

export type SendOutcome = Omit<Attempted, 'at' | 'durationMs'>;

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
    if (error instanceof SecretUnreadable) return unsent('failed', error.message);
    // Log: A fault of Tocsin. The delivery is tried again.
    log.error({ error, destination_id: destination }, 'A message could not be made.');
    return unsent('failed', 'An error in Tocsin kept this from being sent: its log says more.');
  });
  // An outcome that came before the stop counts all the same.
  if (signal.aborted && outcome.outcome === 'failed') return 'stopped';
  return { at, durationMs: Math.max(0, Math.round(clock.monotonic() - startedAt)), ...outcome };
}

export function unsent(outcome: 'failed' | 'refused', reason: string): SendOutcome {
  return { outcome, reason, statusCode: null, retryAfterMs: null, response: null };
}

export function sendOutcomeOf(answer: ChannelOutcome, response: string | null = null): SendOutcome {
  return {
    outcome: answer.outcome,
    reason: answer.outcome === 'delivered' ? null : answer.reason,
    statusCode: answer.statusCode,
    retryAfterMs: answer.outcome === 'failed' ? answer.retryAfterMs : null,
    response,
  };
}

/**
 * Runs work in a transaction that holds the claimed destination, again while the database is away. Null when the destination
 * is not ours any more.
 */
export function whileClaimed<Result>(
  { leases, database }: Pick<SenderDependencies, 'leases' | 'database'>,
  claimed: ClaimedDestination,
  work: (tx: Tx, queue: ReturnType<typeof queueOf>) => Promise<Result>,
): Promise<Result | null> {
  return leases.retryUntilRecorded(claimed, () =>
    database.transaction(async (tx) =>
      (await lockDestination(tx, claimed)) ? work(tx, queueOf(tx, claimed.id)) : null,
    ),
  );
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
