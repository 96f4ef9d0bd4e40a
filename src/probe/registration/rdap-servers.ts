import { readFileSync } from 'node:fs';
import type { Log } from '../../lib/log.ts';
import { readBootstrap } from '../../lib/rdap-bootstrap.ts';
import type { RdapServers } from '../../lib/rdap-bootstrap.ts';

/**
 * RDAP servers by top-level domain. An outdated row does no harm: WHOIS is used if RDAP fails. RDAP_BOOTSTRAP_FILE
 * replaces the table.
 */
export const RDAP_SERVERS: RdapServers = readTable(
  readFileSync(new URL('./rdap-servers.txt', import.meta.url), 'utf8'),
);

/** Parses rows of a base URL and its top-level domains; the file describes its format. */
function readTable(text: string): RdapServers {
  const rows = text.replace(/^#.*/gm, '').split(/\n(?=\S)/);
  return new Map(
    rows.flatMap((row) => {
      const [baseUrl = '', ...domains] = row.trim().split(/\s+/);
      return domains.map((domain) => [domain, baseUrl.replaceAll('TLD', domain)] as const);
    }),
  );
}

/**
 * Reads RDAP_BOOTSTRAP_FILE; without it, returns the built-in table. The service validated the file at startup: if it
 * has become invalid since, logs an error and uses the table.
 */
export function loadRdapServers(file: string | null, log: Log): RdapServers {
  if (file === null) return RDAP_SERVERS;
  try {
    const read = readBootstrap(readFileSync(file, 'utf8'));
    if (read.ok) return read.servers;
    // Log: The bundled list is used.
    log.error({ file, problem: read.message }, "RDAP_BOOTSTRAP_FILE can't be used.");
  } catch (error) {
    // Log: The bundled list is used.
    log.error({ file, problem: String(error) }, "RDAP_BOOTSTRAP_FILE can't be read.");
  }
  return RDAP_SERVERS;
}
