import { z } from 'zod';
import { daysLeft } from '../../engine/inspect/finding.ts';
import { readStoredTarget } from '../../engine/inspect/target.ts';
import { oneOf } from '../../lib/schemas.ts';
import type { DomainFacts, SslFacts } from '../../model/inspection.ts';
import {
  EXPIRING_KINDS,
  listExpirations as readExpirations,
  type ListedExpiration,
} from '../../store/resources/expirations.ts';
import { shownAs } from '../common/answer.ts';
import type { CollectionDeps } from '../common/collection.ts';
import { queryNumber, readQuery } from '../common/input.ts';
import { noun, type Call } from '../common/operation.ts';
import { pageOf, pagingOf, UNSORTED_PAGE_QUERY } from '../common/page.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';
import { textOrNull, time } from '../common/reference-schemas.ts';
import { isoTime } from '../common/time.ts';
import { monitorName, namedMonitor, SHOP } from './monitor-name.ts';

const DAY_MS = 86_400_000;

const DEFAULT_WITHIN_DAYS = 30;

const expirationsQuery = z.object({
  within_days: queryNumber(0, 3_650, 'a whole number')
    .optional()
    .meta({
      description: `Days from now in which it expires; by default ${DEFAULT_WITHIN_DAYS}. What has expired is always listed.`,
    }),
  type: oneOf(EXPIRING_KINDS)
    .optional()
    .meta({ description: 'ssl for certificates, domain for registrations; both unless given.' }),
  ...UNSORTED_PAGE_QUERY,
});

/** Lists the certificates and registrations of a team by the date on which they expire, soonest first (contract 47.9). */
function createListExpirations({ database, clock }: CollectionDeps) {
  return async ({ caller, query, address }: Call) => {
    const wanted = readQuery(expirationsQuery, query);
    const { within_days: days = DEFAULT_WITHIN_DAYS, type } = wanted;
    const paging = pagingOf(wanted, 'expires_at');
    const now = clock.now();
    const { rows, total } = await readExpirations(database.scan, caller.team.id, {
      kinds: type === undefined ? EXPIRING_KINDS : [type],
      until: now + days * DAY_MS,
      limit: paging.limit,
      offset: paging.offset,
    });
    const data = rows.map((row) => expirations.view(row, now));
    return pageOf(data, total, paging, address);
  };
}

const expirations = shownAs<ListedExpiration, number>()({
  type: [
    z.enum(EXPIRING_KINDS).meta({
      description: 'ssl for a certificate, domain for the registration of a domain.',
    }),
    ({ kind }) => kind,
    'ssl',
  ],
  monitor: [monitorName, namedMonitor, SHOP],
  target: [
    z.string().meta({ description: 'Host and port, or the registered domain.' }),
    ({ target }) => readStoredTarget(target).target,
    'shop.example.com:443',
  ],
  expires_at: [time, ({ expires_at }) => isoTime(expires_at), '2030-01-13T12:00:00.000Z'],
  days_left: [
    z.int().meta({ description: 'Whole days, rounded down; negative when it has expired.' }),
    ({ expires_at }, now) => daysLeft(expires_at, now),
    12,
  ],
  issuer: [
    textOrNull.meta({ description: 'Issuer of the certificate.' }),
    ({ kind, facts }) =>
      kind === 'ssl' ? (JSON.parse(facts) as SslFacts).certificate.issuer : null,
    'CN=R11, O=Let’s Encrypt, C=US',
  ],
  registrar: [
    textOrNull.meta({ description: 'Registrar of the domain.' }),
    ({ kind, facts }) => (kind === 'ssl' ? null : (JSON.parse(facts) as DomainFacts).registrar),
    null,
  ],
  checked_at: [
    time.meta({ description: 'When this was last found out.' }),
    ({ known_at, created_at }) => isoTime(Math.max(known_at, created_at)),
    '2029-12-31T20:00:00.000Z',
  ],
  threshold_days: [
    z.int().meta({ description: 'Days before the expiry from which on an incident opens.' }),
    ({ threshold_days }) => threshold_days,
    14,
  ],
});

const expiration = z.object(expirations.shape).meta({
  id: 'Expiration',
  description: 'A certificate or a registration that expires.',
});

export const listExpirations = noun('Overview', createListExpirations, {
  listExpirations: {
    at: 'GET /expirations',
    summary: 'List what expires',
    description:
      'Certificates and registrations of domains of the monitors of the team with these check types, soonest first. A certificate stands by its own date, not by those of its authorities. Left out is what was not found out yet, and domains whose registry publishes no date. A target that several monitors share is listed for each.',
    query: expirationsQuery,
    answer: pageSchema(expiration, 'ExpirationPage'),
    example: {
      answer: pageExample('/expirations', [expirations.example]),
    },
  },
});
