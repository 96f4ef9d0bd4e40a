import type { Clock } from '../lib/clock.ts';
import type { Resolution, Resolver } from './resolver.ts';

/** No answer is older than this when a connection starts, so that a broken name server shows at the next round. */
export const SHARED_FOR_MS = 5_000;

interface SharedLookup {
  /** Monotonic milliseconds. */
  startedAt: number;
  resolution: Promise<Resolution>;
  /** Callers that still wait for it. */
  waiting: number;
  /** Ends the look-up when its last caller has left. */
  end: AbortController;
}

/**
 * The same resolver, one look-up of a name for all that ask within `SHARED_FOR_MS` of its start: the regions of a round
 * that share this vantage point, and other monitors of the host. Only whole answers are kept; a failure serves those
 * who waited for it, and the next caller asks again. Each caller keeps its own deadline.
 */
export function shareLookups(resolver: Resolver, clock: Clock): Resolver {
  /** By name, the oldest first. */
  const lookups = new Map<string, SharedLookup>();

  function forgetOld(now: number): void {
    for (const [name, { startedAt }] of lookups) {
      if (now - startedAt < SHARED_FOR_MS) return;
      lookups.delete(name);
    }
  }

  function begin(name: string, startedAt: number): SharedLookup {
    const end = new AbortController();
    const resolution = resolver.resolve(name, end.signal);
    const lookup: SharedLookup = { startedAt, resolution, waiting: 0, end };
    lookups.set(name, lookup);
    void forgetUnlessWhole(name, lookup);
    return lookup;
  }

  async function forgetUnlessWhole(name: string, lookup: SharedLookup): Promise<void> {
    const answer = await lookup.resolution;
    const isWhole = answer.ok && answer.isPartial !== true;
    if (!isWhole && lookups.get(name) === lookup) lookups.delete(name);
  }

  return {
    hasNetwork: resolver.hasNetwork,
    resolve(host, signal) {
      if (signal.aborted) return resolver.resolve(host, signal);
      const name = host.toLowerCase().replace(/\.$/, '');
      const now = clock.monotonic();
      forgetOld(now);
      const lookup = lookups.get(name) ?? begin(name, now);
      return waitFor(lookup, signal, () => {
        if (lookups.get(name) === lookup) lookups.delete(name);
      });
    },
  };
}

/** The answer, or the end of this caller's patience, whichever comes first. */
function waitFor(
  lookup: SharedLookup,
  signal: AbortSignal,
  abandon: () => void,
): Promise<Resolution> {
  return new Promise((resolve) => {
    lookup.waiting += 1;
    const leave = (): void => {
      lookup.waiting -= 1;
      signal.removeEventListener('abort', giveUp);
    };
    const giveUp = (): void => {
      leave();
      if (lookup.waiting === 0) {
        abandon();
        lookup.end.abort(signal.reason);
      }
      resolve({ ok: false, code: signal.reason === 'shutdown' ? 'aborted' : 'dns_timeout' });
    };
    const receive = async (): Promise<void> => {
      const answer = await lookup.resolution;
      if (signal.aborted) return;
      leave();
      resolve(answer);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    void receive();
  });
}
