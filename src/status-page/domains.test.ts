import { describe, expect, test } from 'vitest';
import { BASE_URL, openApi, type TestApi } from '../../test/support/api.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { silentLog } from '../lib/log.ts';
import type { RecordLookup } from '../net/dns-channels.ts';
import type { Database } from '../store/database/contract.ts';
import { DatabaseUnavailable } from '../store/database/errors.ts';
import { createDomains } from './domains.ts';

const PAGES = '/api/v1/status-pages';
const DOMAIN = 'status.acme.example';
const DAY = 24 * 3_600_000;

/** The API with a zone of its own: records by `name type`; null for no answer. */
async function openZone(database: Database) {
  const records = new Map<string, string[] | null>();
  const lookUp: RecordLookup = async (name, type) => {
    const found = records.get(`${name} ${type}`);
    return found === undefined ? [] : found;
  };
  const lines: string[] = [];
  const log = {
    ...silentLog,
    info: (_fields: object, message: string) => void lines.push(message),
    warn: (_fields: object, message: string) => void lines.push(message),
  };
  const deps = {
    database,
    log,
    lookUp,
    baseUrl: () => BASE_URL,
  };
  // The clock is that of the API, which needs the domains.
  const api: TestApi = await openApi(database, {
    domains: {
      verify: (...given) => domains.verify(...given),
      isVerified: (domain) => domains.isVerified(domain),
    },
  });
  const domains = createDomains({ ...deps, clock: api.clock });
  return { api, domains, records, lines };
}

type Zone = Awaited<ReturnType<typeof openZone>>;

interface PageWithDomain {
  id: number;
  domain_verified: boolean;
  domain: { records: { type: string; name: string; value: string }[]; last_error: string | null };
}

async function pageFor({ api }: Zone, who = api.alice, domain = DOMAIN): Promise<PageWithDomain> {
  const { status, body } = await api.call(who, 'POST', PAGES, {
    name: 'Acme',
    custom_domain: domain,
  });
  expect(status).toBe(201);
  return body as unknown as PageWithDomain;
}

async function verify({ api }: Zone, { id }: { id: number }, who = api.alice) {
  const { status, body } = await api.call(who, 'POST', `${PAGES}/${id}/verify-domain`);
  expect(status).toBe(200);
  return body as unknown as PageWithDomain;
}

const read = async ({ api }: Zone, { id }: { id: number }, who = api.alice) =>
  (await api.call(who, 'GET', `${PAGES}/${id}`)).body as unknown as PageWithDomain;

/** Sets one of the records that a page asks for. */
function setRecord({ records }: Zone, page: PageWithDomain, type: 'TXT' | 'CNAME'): void {
  const { name, value } = page.domain.records.find((record) => record.type === type)!;
  const key = `${name} ${type}`;
  records.set(key, [...(records.get(key) ?? []), value]);
}

eachDatabase((_name, open) => {
  describe('custom domains', () => {
    test.each(['TXT', 'CNAME'] as const)(
      'a %s record with the token of the page verifies a domain, asked for or by itself [41.17, 41.19]',
      async (type) => {
        const zone = await openZone(await open());
        const page = await pageFor(zone);
        const before = await verify(zone, page);
        expect([before.domain_verified, before.domain.last_error]).toEqual([
          false,
          expect.stringContaining('_tocsin.status.acme.example has no TXT or CNAME record'),
        ]);
        setRecord(zone, page, type);
        await zone.api.clock.advance(70_000);
        zone.domains.start();
        await zone.domains.stop();
        const after = await read(zone, page);
        expect([after.domain_verified, after.domain.last_error]).toEqual([true, null]);
        expect(zone.lines).toEqual(['A custom domain was verified.']);
        expect(await zone.domains.isVerified(DOMAIN)).toBe(true);
      },
    );

    test('a domain stays verified while name servers are silent, and for 3 days without its record [41.18]', async () => {
      const zone = await openZone(await open());
      const page = await pageFor(zone);
      setRecord(zone, page, 'TXT');
      await verify(zone, page);
      const [key] = [...zone.records.keys()];
      zone.records.set(key!, null);
      await zone.api.clock.advance(30 * DAY);
      expect((await verify(zone, page)).domain_verified).toBe(true);
      zone.records.delete(key!);
      expect((await verify(zone, page)).domain_verified).toBe(true);
      await zone.api.clock.advance(3 * DAY - 1);
      expect((await verify(zone, page)).domain_verified).toBe(true);
      await zone.api.clock.advance(1);
      expect((await verify(zone, page)).domain_verified).toBe(false);
      expect(zone.lines.at(-1)).toBe('A custom domain is no longer verified.');
      expect(await zone.domains.isVerified(DOMAIN)).toBe(false);
    });

    test('a domain has one page: a second proof takes it only once the first record is gone [41.19]', async () => {
      const zone = await openZone(await open());
      const { alice, mallory } = zone.api;
      const ours = await pageFor(zone, alice);
      const theirs = await pageFor(zone, mallory);
      setRecord(zone, ours, 'TXT');
      expect((await verify(zone, ours)).domain_verified).toBe(true);
      expect((await verify(zone, theirs, mallory)).domain_verified).toBe(false);
      setRecord(zone, theirs, 'TXT');
      const held = await verify(zone, theirs, mallory);
      expect([held.domain_verified, held.domain.last_error]).toEqual([
        false,
        expect.stringContaining('Another status page has verified this domain'),
      ]);
      const [key] = [...zone.records.keys()];
      zone.records.set(key!, zone.records.get(key!)!.slice(1));
      expect((await verify(zone, theirs, mallory)).domain_verified).toBe(true);
      expect((await read(zone, ours)).domain_verified).toBe(false);
      expect(await zone.domains.isVerified(DOMAIN)).toBe(true);
    });

    test('a domain that was changed during a lookup is not verified by it', async () => {
      const zone = await openZone(await open());
      const page = await pageFor(zone);
      setRecord(zone, page, 'TXT');
      const verifying = zone.domains.verify(
        { teamId: zone.api.alice.teamId, id: page.id },
        async () => {},
      );
      await zone.api.call(zone.api.alice, 'PUT', `${PAGES}/${page.id}`, {
        custom_domain: 'other.example',
      });
      await verifying;
      expect((await read(zone, page)).domain_verified).toBe(false);
    });

    test('a proxy is told which domains are verified, without a token and without a body [41.20]', async () => {
      const zone = await openZone(await open());
      const ask = async (query: string) => {
        const { statusCode, payload } = await zone.api.app.inject({
          url: `/api/v1/status-pages/tls-check${query}`,
        });
        return [statusCode, payload];
      };
      const page = await pageFor(zone);
      expect(await ask(`?domain=${DOMAIN}`)).toEqual([404, '']);
      setRecord(zone, page, 'TXT');
      await verify(zone, page);
      await zone.api.clock.advance(2_000);
      expect(await ask(`?domain=${DOMAIN}`)).toEqual([200, '']);
      expect(await ask('?domain=STATUS.acme.example.')).toEqual([200, '']);
      for (const query of ['', '?domain=', '?domain=up.example.com', `?domain=${DOMAIN}&domain=x`])
        expect(await ask(query)).toEqual([404, '']);
      // A draft has its certificate before visitors come.
      await zone.api.call(zone.api.alice, 'PUT', `${PAGES}/${page.id}`, { draft: true });
      await zone.api.clock.advance(2_000);
      expect(await ask(`?domain=${DOMAIN}`)).toEqual([200, '']);
      const alias = await zone.api.app.inject({
        url: `/api/status-pages/tls-check?domain=${DOMAIN}`,
      });
      expect(alias.statusCode).toBe(200);
      await zone.api.call(zone.api.alice, 'DELETE', `${PAGES}/${page.id}`);
      await zone.api.clock.advance(2_000);
      expect(await ask(`?domain=${DOMAIN}`)).toEqual([404, '']);
    });
  });
});

test('a page without a custom domain has nothing to verify [41.19]', async () => {
  const zone = await openZone(await openInMemory());
  const { alice } = zone.api;
  const { body } = await zone.api.call(alice, 'POST', PAGES, { name: 'Acme' });
  const refused = await zone.api.call(alice, 'POST', `${PAGES}/${body.id}/verify-domain`);
  expect([refused.status, refused.body['message']]).toEqual([
    409,
    'This page has no custom domain: set custom_domain first.',
  ]);
});

test('verified domains are read once for many questions, and kept while the database is away [41.20]', async () => {
  const database = await openInMemory();
  const zone = await openZone(database);
  const page = await pageFor(zone);
  setRecord(zone, page, 'CNAME');
  await verify(zone, page);
  let reads = 0;
  let isAway = true;
  const counted = {
    ...database,
    transaction: database.transaction.bind(database),
    get read() {
      reads++;
      if (isAway) throw new DatabaseUnavailable('it is away');
      return database.read;
    },
  };
  const deps = { log: silentLog, lookUp: async () => [], baseUrl: () => BASE_URL };
  const domains = createDomains({ ...deps, database: counted, clock: zone.api.clock });
  await expect(domains.isVerified(DOMAIN)).rejects.toThrow(DatabaseUnavailable);
  isAway = false;
  reads = 0;
  const asked = Array.from({ length: 1_000 }, () => domains.isVerified(DOMAIN));
  expect(new Set(await Promise.all(asked))).toEqual(new Set([true]));
  expect(reads).toBe(1);
  isAway = true;
  await zone.api.clock.advance(10_000);
  expect(await domains.isVerified(DOMAIN)).toBe(true);
  expect(await domains.isVerified('other.example')).toBe(false);
});
