import type { Clock } from '../lib/clock.ts';
import { OrderedSet } from '../lib/ordered-set.ts';
import type { Resolution, Resolver } from './resolver.ts';

/** Maximum age of a shared answer when a connection starts, so that a broken name server shows in the next round. */
export const LOOKUP_TTL_MS = 5_000;

interface SharedLookup {
  name: string;
  /** Monotonic milliseconds. */
  startedAt: number;
  resolution: Promise<Resolution>;
  waiting: number;
  /** Ends the lookup when its last caller has left. */
  end: AbortController;
}

/**
 * Wraps a resolver so that callers share lookups of a name for `LOOKUP_TTL_MS`: the regions of a round at one probe host,
 * and other monitors of the target. Only complete answers are kept; a failure goes to its current callers, and the
 * next caller tries again. Each caller keeps its own deadline.
 */
export function shareLookups(resolver: Resolver, clock: Clock): Resolver {
  const byName = new Map<string, SharedLookup>();
  /** Those of the map, oldest first. */
  const byAge = new OrderedSet<SharedLookup>();

  function forget(lookup: SharedLookup): void {
    if (byAge.delete(lookup)) byName.delete(lookup.name);
  }

  function forgetOld(now: number): void {
    let oldest = byAge.first();
    while (oldest !== undefined && now - oldest.startedAt >= LOOKUP_TTL_MS) {
      forget(oldest);
      oldest = byAge.first();
    }
  }

  function begin(name: string, startedAt: number): SharedLookup {
    const end = new AbortController();
    const resolution = resolver.resolve(name, end.signal);
    const lookup: SharedLookup = { name, startedAt, resolution, waiting: 0, end };
    byName.set(name, lookup);
    byAge.add(lookup);
    void forgetUnlessComplete(lookup);
    return lookup;
  }

  async function forgetUnlessComplete(lookup: SharedLookup): Promise<void> {
    const answer = await lookup.resolution;
    const isComplete = answer.ok && answer.isPartial !== true;
    if (!isComplete) forget(lookup);
  }

  return {
    hasNetwork: resolver.hasNetwork,
    resolve(host, signal) {
      if (signal.aborted) return resolver.resolve(host, signal);
      const name = host.toLowerCase().replace(/\.$/, '');
      const now = clock.monotonic();
      forgetOld(now);
      const lookup = byName.get(name) ?? begin(name, now);
      return waitFor(lookup, signal, () => forget(lookup));
    },
  };
}

/** Resolves with the answer, or when this caller's signal is aborted. */
function waitFor(
  lookup: SharedLookup,
  signal: AbortSignal,
  forget: () => void,
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
        forget();
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
