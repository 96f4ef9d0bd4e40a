import type { DnsFacts, FactsOf, InspectionKind, SslFacts } from '../../../src/model/inspection.ts';
import { noise, numberOf } from '../latency.ts';

const DAY_MS = 86_400_000;

/** Days until the certificate of a host expires; 61 for all others. */
const EXPIRES_IN_DAYS: Record<string, number> = {
  'blog.northwind.example': 23,
  'wiki.northwind.example': 19,
  'git.northwind.example': 33,
  'api.paywell.example': 118,
  'www.northwind-tee.example': 44,
};
const LIFETIME_DAYS = 90;

/** What an inspection of a target finds at `now` (epoch ms); `generation` 1 is what it found before its last change. */
export function factsOf<Kind extends InspectionKind>(
  kind: Kind,
  target: string,
  now: number,
  generation: 0 | 1 = 0,
): FactsOf[Kind] {
  const facts: { [K in InspectionKind]: () => FactsOf[K] } = {
    ssl: () => certificateOf(target, now, generation),
    dns: () => recordsOf(target, generation),
    domain: () => ({
      expiresAt: startOfDay(now) + (target === 'northwind.example' ? 476 : 210) * DAY_MS,
      registrar: 'Nordic Names AB',
      statuses: ['client transfer prohibited'],
      source: 'rdap',
      server: 'rdap.nic.example',
    }),
  };
  return facts[kind]();
}

const startOfDay = (at: number) => Math.floor(at / DAY_MS) * DAY_MS;

/** When the certificate of a target was renewed last, epoch milliseconds. */
export function renewedAt(target: string, now: number): number {
  const { validFrom } = certificateOf(target, now, 0).certificate;
  return validFrom + 3_600_000;
}

function certificateOf(target: string, now: number, generation: 0 | 1): SslFacts {
  const host = target.slice(0, target.lastIndexOf(':'));
  const days = EXPIRES_IN_DAYS[host] ?? 61;
  const expires = startOfDay(now) + days * DAY_MS;
  const validTo = generation === 0 ? expires : expires - (LIFETIME_DAYS - 30) * DAY_MS;
  const isOurs = host.endsWith('.northwind.example');
  const digits = hexOf(target, generation);
  return {
    address: addressOf(host, 0),
    protocol: 'TLSv1.3',
    cipher: 'TLS_AES_256_GCM_SHA384',
    certificate: {
      fingerprint: digits.repeat(4).slice(0, 64),
      serialNumber: `04${digits.slice(0, 16).toUpperCase()}`,
      subject: isOurs ? '*.northwind.example' : host,
      issuer: 'R11',
      names: isOurs ? ['*.northwind.example', 'northwind.example'] : [host],
      validFrom: validTo - LIFETIME_DAYS * DAY_MS,
      validTo,
      keyType: 'ec',
      keyBits: 256,
    },
    chain: [{ subject: 'R11', issuer: 'ISRG Root X1', validTo: startOfDay(now) + 480 * DAY_MS }],
    fault: null,
    ocsp: null,
  };
}

function recordsOf(host: string, generation: 0 | 1): DnsFacts {
  const first = addressOf(host, 0);
  return {
    records: {
      A: generation === 0 ? [first, addressOf(host, 1)] : [first],
      AAAA: ['2001:db8:14::24'],
      CNAME: [],
      MX: host === 'www.northwind.example' ? ['10 smtp.northwind.example'] : [],
      NS: ['ns1.northwind.example', 'ns2.northwind.example'],
      TXT: host === 'www.northwind.example' ? ['v=spf1 include:northwind.example -all'] : [],
      SOA: ['ns1.northwind.example hostmaster.northwind.example'],
    },
    source: 'authoritative',
    server: '203.0.113.2',
  };
}

const addressOf = (host: string, index: number) =>
  `203.0.113.${24 + ((numberOf(host) >>> 4) % 40) * 2 + index}`;

function hexOf(target: string, generation: number): string {
  return Array.from({ length: 4 }, (_, part) =>
    Math.floor(noise(numberOf(target), generation, part) * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('');
}
