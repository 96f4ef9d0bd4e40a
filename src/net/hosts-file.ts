import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Clock } from '../lib/clock.ts';
import type { ResolvedAddress } from './host.ts';

/** Addresses by lower-case name, in the order of the file. */
export type HostsTable = ReadonlyMap<string, ResolvedAddress[]>;

const REFRESH_AFTER_MS = 5_000;

/** Parses a hosts file (hosts(5)). */
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

/** Returns a function that reads the file at most every 5 s. An unreadable file is empty. */
export function createHostsFile(path: string, clock: Clock): () => HostsTable {
  let table: HostsTable = new Map();
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock.monotonic();
    if (now - readAt < REFRESH_AFTER_MS) return table;
    readAt = now;
    try {
      table = parseHosts(readFileSync(path, 'utf8'));
    } catch {
      table = new Map();
    }
    return table;
  };
}
