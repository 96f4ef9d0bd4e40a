import type { Clock } from '../lib/clock.ts';
import { createDnsChannels } from './dns-channels.ts';

/** Values of a name's records; empty when the name or the record does not exist. Null when no server said so. */
export type RecordValues = readonly string[] | null;

/** Looks up the TXT or CNAME records of a name. Never rejects. A text in several parts is joined. */
export type RecordLookup = (name: string, type: 'TXT' | 'CNAME') => Promise<RecordValues>;

const RETRY_MS = 1_500;
const TRIES = 2;
const DEADLINE_MS = 5_000;
/** Codes of c-ares by which a server says that there is no such record. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/** @param servers DNS servers as `address` or `address:port`; the system's by default. */
export function createRecordLookup(options: {
  clock: Clock;
  servers?: readonly string[] | null;
}): RecordLookup {
  const { clock, servers } = options;
  const channels = createDnsChannels({ clock, servers, retryMs: RETRY_MS, tries: TRIES });

  return async (name, type) => {
    const channel = channels.take();
    const deadline = clock.after(DEADLINE_MS, () => channel.cancel());
    try {
      const values =
        type === 'TXT'
          ? (await channel.resolveTxt(name)).map((parts) => parts.join(''))
          : await channel.resolveCname(name);
      channels.release(channel);
      return values;
    } catch (error) {
      return ABSENT.has((error as NodeJS.ErrnoException).code ?? '') ? [] : null;
    } finally {
      clock.clear(deadline);
    }
  };
}
