import { describe, expect, test } from 'vitest';
import {
  openApi,
  sharedApi,
  type Answer,
  type Json,
  type TestApi,
} from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { ALL_TYPES, LEAST } from '../../../test/support/monitor-bodies.ts';
import { dnsFacts, sslFacts } from '../../../test/support/target-facts.ts';
import { targetHistoryChanges } from '../../store/engine/target-history.ts';

const MONITORS = '/api/v1/monitors';
const HOST = 'www.example.com';
const URL = `https://${HOST}/shop`;
const PORT = `${HOST}:443`;
const MINUTE = 60_000;
const NOUNS = ['dns', 'certificates', 'activities'];

const get = (api: TestApi, id: number, noun: string, query = ''): Promise<Answer> =>
  api.call(api.alice, 'GET', `${MONITORS}/${id}/${noun}${query}`);

const entries = ({ body }: Answer) => body['data'] as Json[];

/** So many minutes after the time at which the API stands. */
const after = (api: TestApi, minutes: number) => api.clock.now() + minutes * MINUTE;

const sawRecords = (api: TestApi, minutes: number, address: string, host = HOST) =>
  api.database.transaction((tx) =>
    targetHistoryChanges(tx).insertRecordSet(host, dnsFacts(address), after(api, minutes)),
  );

const sawCertificate = (api: TestApi, minutes: number, mark: string, target = PORT) =>
  api.database.transaction((tx) =>
    targetHistoryChanges(tx).insertCertificate(
      target,
      sslFacts(undefined, mark),
      after(api, minutes),
    ),
  );

const addresses = async (api: TestApi, id: number) =>
  entries(await get(api, id, 'dns')).map((entry) => (entry['records'] as { A: string[] }).A[0]);

eachDatabase((_name, open) => {
  test('the records of a host are shown whole, the newest first [24.30]', async () => {
    const api = await openApi(await open());
    const { id } = await api.create({ url: URL, check_types: ['dns'] });
    await sawRecords(api, 0, '192.0.2.1');
    await sawRecords(api, 5, '192.0.2.2');
    const { status, body } = await get(api, id, 'dns');
    expect([status, body['total']]).toEqual([200, 2]);
    expect((body['data'] as Json[])[0]).toEqual({
      id: expect.any(Number),
      host: HOST,
      seen_at: '2030-01-01T00:05:00.000Z',
      source: 'authoritative',
      records: { A: ['192.0.2.2'], AAAA: [], CNAME: [], MX: [], NS: [], TXT: [], SOA: [] },
    });
    expect(await addresses(api, id)).toEqual(['192.0.2.2', '192.0.2.1']);
  });

  test('a certificate is shown with what was seen with it [24.31]', async () => {
    const api = await openApi(await open());
    const { id } = await api.create({ url: URL, check_types: ['ssl'] });
    const facts = {
      ...sslFacts(Date.UTC(2030, 1, 1)),
      fault: { code: 'tls_wrong_host', text: 'TLS certificate is for example.com' } as const,
      ocsp: { status: 'good', producedAt: 1, nextUpdate: 2 } as const,
    };
    await api.database.transaction((tx) =>
      targetHistoryChanges(tx).insertCertificate(PORT, facts, after(api, 0)),
    );
    expect(entries(await get(api, id, 'certificates'))).toEqual([
      {
        id: expect.any(Number),
        seen_at: '2030-01-01T00:00:00.000Z',
        address: '192.0.2.10',
        protocol: 'TLSv1.3',
        cipher: 'TLS_AES_256_GCM_SHA384',
        fingerprint: 'aa'.repeat(32),
        serial_number: '01AA',
        subject: 'www.example.com',
        issuer: 'R11',
        names: ['example.com', 'www.example.com'],
        valid_from: '2029-01-01T00:00:00.000Z',
        valid_to: '2030-02-01T00:00:00.000Z',
        key_type: 'ec',
        key_bits: 256,
        chain: [{ subject: 'R11', issuer: 'ISRG Root X1', valid_to: '2040-01-02T00:00:00.000Z' }],
        ocsp_status: 'good',
        error: 'TLS certificate is for example.com',
      },
    ]);
  });

  test('a certificate of which little is known is shown with nulls', async () => {
    const api = await openApi(await open());
    const { id } = await api.create({ url: URL, check_types: ['ssl'] });
    const { certificate, ...rest } = sslFacts();
    const bare = { ...certificate, subject: null, issuer: null, names: [], keyBits: null };
    const facts = { ...rest, protocol: null, cipher: null, certificate: bare, chain: [] };
    await api.database.transaction((tx) =>
      targetHistoryChanges(tx).insertCertificate(PORT, facts, after(api, 0)),
    );
    expect(entries(await get(api, id, 'certificates'))).toMatchObject([
      {
        subject: null,
        issuer: null,
        key_bits: null,
        protocol: null,
        ocsp_status: null,
        error: null,
      },
    ]);
  });

  test('activities are shown, those of the monitor alone', async () => {
    const api = await openApi(await open());
    const [mine, other] = [await api.create({ url: URL }), await api.create({ url: URL })];
    const line = (monitorId: number, type: string) => ({
      team_id: api.alice.teamId,
      monitor_id: monitorId,
      type,
      description: `What of ${type}.`,
      created_at: api.clock.now(),
    });
    await api.database.transaction((tx) =>
      targetHistoryChanges(tx).insertActivities([
        line(mine.id, 'dns_changed'),
        line(other.id, 'dns_changed'),
        line(mine.id, 'certificate_changed'),
      ]),
    );
    const created_at = '2030-01-01T00:00:00.000Z';
    expect(entries(await get(api, mine.id, 'activities'))).toEqual([
      {
        id: 3,
        type: 'certificate_changed',
        description: 'What of certificate_changed.',
        created_at,
      },
      { id: 1, type: 'dns_changed', description: 'What of dns_changed.', created_at },
    ]);
  });

  test('a monitor sees what was the case since it is there [24.33]', async () => {
    const api = await openApi(await open());
    const old = await api.create({ url: URL, check_types: ['dns', 'ssl'] });
    await sawRecords(api, 1, '192.0.2.1');
    await sawRecords(api, 2, '192.0.2.2');
    await sawCertificate(api, 1, 'aa');
    await sawCertificate(api, 2, 'bb');
    await api.clock.advance(3 * MINUTE);
    const late = await api.create({ url: URL, check_types: ['dns', 'ssl'] });
    await sawRecords(api, 1, '192.0.2.3');
    expect(await addresses(api, old.id)).toEqual(['192.0.2.3', '192.0.2.2', '192.0.2.1']);
    expect(await addresses(api, late.id)).toEqual(['192.0.2.3', '192.0.2.2']);
    expect((await get(api, late.id, 'certificates')).body).toMatchObject({
      total: 1,
      data: [{ fingerprint: 'bb'.repeat(32) }],
    });
  });

  test.each(NOUNS)('pages of %s lead from one to the next [24.29]', async (noun) => {
    const api = await openApi(await open());
    const { id } = await api.create({ url: URL, check_types: ['dns', 'ssl'] });
    for (const [minutes, mark] of [
      [1, 'aa'],
      [2, 'bb'],
      [3, 'cc'],
    ] as const) {
      await sawRecords(api, minutes, `192.0.2.${minutes}`);
      await sawCertificate(api, minutes, mark);
      const line = {
        team_id: api.alice.teamId,
        monitor_id: id,
        type: 'dns_changed',
        description: mark,
        created_at: after(api, minutes),
      };
      await api.database.transaction((tx) => targetHistoryChanges(tx).insertActivities([line]));
    }
    const path = `https://up.example.com/api/v1/monitors/${id}/${noun}`;
    const first = await get(api, id, noun, '?per_page=2');
    expect(first.body).toMatchObject({
      current_page: 1,
      per_page: 2,
      total: 3,
      last_page: 2,
      from: 1,
      to: 2,
      path,
      next_page_url: `${path}?per_page=2&page=2`,
      prev_page_url: null,
    });
    const second = await get(api, id, noun, '?per_page=2&page=2');
    const ids = [...entries(first), ...entries(second)].map((entry) => entry.id);
    expect(ids).toEqual([3, 2, 1]);
    const past = await get(api, id, noun, '?per_page=2&page=9');
    expect(past.body).toMatchObject({ data: [], total: 3, from: null, to: null });
  });
});

describe('the history of a target', () => {
  const shared = sharedApi();

  test('is that of the url as it is now [24.35]', async () => {
    const api = await shared();
    const { id } = await api.create({
      url: 'https://one.example.com',
      check_types: ['dns', 'ssl'],
    });
    await sawRecords(api, 0, '192.0.2.1', 'one.example.com');
    await sawRecords(api, 0, '192.0.2.2', 'two.example.com');
    await sawCertificate(api, 0, 'dd', 'two.example.com:8443');
    expect(await addresses(api, id)).toEqual(['192.0.2.1']);
    expect(entries(await get(api, id, 'certificates'))).toEqual([]);
    await api.call(api.alice, 'PUT', `${MONITORS}/${id}`, { url: 'https://Two.example.com:8443' });
    expect(await addresses(api, id)).toEqual(['192.0.2.2']);
    expect(entries(await get(api, id, 'certificates'))).toHaveLength(1);
  });

  test('is shared by monitors of one host, of whatever type, and shown where its check is off [24.34]', async () => {
    const api = await shared();
    const host = 'shared.example.com';
    await sawRecords(api, 0, '192.0.2.7', host);
    await sawCertificate(api, 0, 'ee', `${host}:443`);
    const bodies = [
      { url: `https://${host}` },
      { url: `http://${host}:8080` },
      { monitor_type: 'ping', url: host },
      { monitor_type: 'port', url: host, port: 443 },
    ];
    const seen: [number, number][] = [];
    for (const body of bodies) {
      const { id } = await api.create(body);
      const certificates = entries(await get(api, id, 'certificates'));
      seen.push([(await addresses(api, id)).length, certificates.length]);
    }
    // Certificates are those of https urls.
    expect(seen).toEqual([
      [1, 1],
      [1, 0],
      [1, 0],
      [1, 0],
    ]);
  });

  test.each(ALL_TYPES)('of a new %s monitor is an empty page [24.32]', async (type) => {
    const api = await shared();
    const { id } = await api.create(LEAST[type]);
    for (const noun of NOUNS) {
      const { status, body } = await get(api, id, noun);
      expect(status).toBe(200);
      expect(body).toMatchObject({ data: [], total: 0, last_page: 1, from: null, to: null });
    }
  });

  test.each(NOUNS)(
    'a page of %s that can not be is refused, all faults at once [4.3]',
    async (noun) => {
      const api = await shared();
      const { id } = await api.create({ url: URL });
      const { status, body } = await get(api, id, noun, '?page=0&per_page=101');
      expect([status, Object.keys(body['errors'] as object).toSorted()]).toEqual([
        422,
        ['page', 'per_page'],
      ]);
      for (const query of ['?page=x', '?per_page=0', '?per_page=1.5']) {
        expect((await get(api, id, noun, query)).status).toBe(422);
      }
    },
  );
});
