import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Clock } from '../lib/clock.ts';
import type { ResolvedAddress } from './host.ts';

/** Names in lower case to their addresses, in the order of the file. */
export type HostsTable = ReadonlyMap<string, ResolvedAddress[]>;

const REREAD_AFTER_MS = 5_000;

/** The text of a hosts file (hosts(5)): lines of an address and its names, `#` begins a comment. */
export function parseHosts(text: string): HostsTable {
  const table = new Map<string, ResolvedAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*$/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names)
      addTo(table, name.toLowerCase(), { address, family: family as 4 | 6 });
  }
  return table;
}

function addTo(table: Map<string, ResolvedAddress[]>, name: string, entry: ResolvedAddress): void {
  const known = table.get(name);
  if (known === undefined) table.set(name, [entry]);
  else if (!known.some(({ address }) => address === entry.address)) known.push(entry);
}

/** Answers the file's current table, read again at most every 5 s. A file that can't be read is empty. */
export function createHostsFile(path: string, clock: Clock): () => HostsTable {
  let table: HostsTable = new Map();
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock.monotonic();
    if (now - readAt < REREAD_AFTER_MS) return table;
    readAt = now;
    try {
      table = parseHosts(readFileSync(path, 'utf8'));
    } catch {
      table = new Map();
    }
    return table;
  };
}
