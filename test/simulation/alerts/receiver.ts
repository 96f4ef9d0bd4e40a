import type { Clock } from '../../../src/lib/clock.ts';
import { TIMEOUT_MS } from '../../../src/alerting/channels/index.ts';
import type { HttpResponse } from '../../../src/net/http-client.ts';
import type { Random } from '../random.ts';
import { valueAt, type Segment } from '../segments.ts';
import type { Health } from './scenario.ts';

/** One request with a message; a message that is sent again arrives again. */
export interface Arrival<Content> {
  id: string;
  /** Milliseconds since the world began. */
  at: number;
  content: Content;
  /** Whether it was accepted. */
  isTaken: boolean;
}

/** The server of a receiver. */
export interface Receiver<Content> {
  readonly arrivals: Arrival<Content>[];
  take(id: string, content: Content, signal: AbortSignal): Promise<HttpResponse>;
}

type ResponseKind = 'taken' | 'error' | 'busy' | 'silent' | 'reset';

/** @param arrived called with each request before it is answered. */
export function createReceiver<Content>(
  healthSegments: Segment<Health>[],
  { clock, random, arrived }: { clock: Clock; random: Random; arrived: () => void },
): Receiver<Content> {
  const arrivals: Arrival<Content>[] = [];
  return {
    arrivals,
    async take(id, content, signal) {
      const responseKind = responseKindOf(valueAt(healthSegments, clock.monotonic()), random);
      const arrival = { id, at: clock.monotonic(), content, isTaken: false };
      arrivals.push(arrival);
      arrived();
      const takesMs = responseKind === 'silent' ? TIMEOUT_MS : random.skewed(5, 4_000);
      if (!(await pass(clock, takesMs, signal)))
        return { ok: false, failure: { code: 'connection_timeout', text: 'Timeout' } };
      arrival.isTaken = responseKind === 'taken';
      return answerOf(responseKind, random);
    },
  };
}

function responseKindOf(health: Health, random: Random): ResponseKind {
  if (health === 'healthy') return 'taken';
  return random.weighted<ResponseKind>({ taken: 1, error: 3, busy: 2, silent: 2, reset: 2 });
}

const status = (code: number, headers = {}): HttpResponse => ({
  ok: true,
  status: code,
  headers,
  body: Buffer.alloc(0),
});

function answerOf(responseKind: ResponseKind, random: Random): HttpResponse {
  if (responseKind === 'taken') return status(204);
  if (responseKind === 'error') return status(500);
  if (responseKind === 'busy') return status(429, { 'retry-after': String(random.integer(1, 30)) });
  const code = responseKind === 'reset' ? 'connection_reset' : 'connection_timeout';
  return { ok: false, failure: { code, text: responseKind } };
}

/** @returns whether the time passed before the signal was aborted. */
function pass(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = clock.after(milliseconds, () => resolve(true));
  signal.addEventListener('abort', () => resolve(false), { once: true });
  return promise.finally(() => clock.clear(timer));
}
