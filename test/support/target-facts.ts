import type { DnsFacts, DomainFacts, SslFacts } from '../../src/model/inspection.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { targetHistoryChanges } from '../../src/store/engine/target-history.ts';

const DAY_MS = 86_400_000;
const WIDE = { from: Date.UTC(2029, 0, 1), to: Date.UTC(2040, 0, 1) };

/**
 * A certificate of `www.example.com` that is valid until `validTo` (epoch ms); another `mark` makes it a different one.
 */
export function sslFacts(validTo = WIDE.to, mark = 'aa'): SslFacts {
  return {
    address: '192.0.2.10',
    protocol: 'TLSv1.3',
    cipher: 'TLS_AES_256_GCM_SHA384',
    certificate: {
      fingerprint: mark.repeat(32),
      serialNumber: `01${mark.toUpperCase()}`,
      subject: 'www.example.com',
      issuer: 'R11',
      names: ['example.com', 'www.example.com'],
      validFrom: WIDE.from,
      validTo,
      keyType: 'ec',
      keyBits: 256,
    },
    chain: [{ subject: 'R11', issuer: 'ISRG Root X1', validTo: WIDE.to + DAY_MS }],
    fault: null,
    ocsp: null,
  };
}

/** The records of a name with these IPv4 addresses and no others. */
export function dnsFacts(...addresses: string[]): DnsFacts {
  return {
    records: { A: addresses, AAAA: [], CNAME: [], MX: [], NS: [], TXT: [], SOA: [] },
    source: 'authoritative',
    server: '192.0.2.53',
  };
}

export function domainFacts(expiresAt: number | null = WIDE.to): DomainFacts {
  return {
    expiresAt,
    registrar: 'A registrar',
    statuses: ['client transfer prohibited'],
    source: 'rdap',
    server: 'rdap.example',
  };
}

/** One entry in each history of the target of a monitor whose url is `https://` and that host, seen at `at` (epoch ms). */
export async function storeTargetHistory(
  database: Database,
  monitor: { id: number; teamId: number; host: string },
  at: number,
): Promise<void> {
  const { id, teamId, host } = monitor;
  const description = 'DNS records changed: A added 192.0.2.10.';
  const ids = { team_id: teamId, monitor_id: id };
  const records = {
    A: ['192.0.2.10'],
    AAAA: ['2001:db8::10'],
    CNAME: [],
    MX: ['10 mail.example.com'],
    NS: ['ns1.example.com'],
    TXT: ['v=spf1 -all'],
    SOA: ['ns1.example.com hostmaster.example.com'],
  };
  await database.transaction(async (tx) => {
    await targetHistoryChanges(tx).insertRecordSet(host, { ...dnsFacts(), records }, at);
    await targetHistoryChanges(tx).insertCertificate(`${host}:443`, sslFacts(), at);
    await targetHistoryChanges(tx).insertActivities([
      { ...ids, type: 'dns_changed', description, created_at: at },
    ]);
  });
}
