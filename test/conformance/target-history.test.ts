import { describe, expect, it } from 'vitest';
import {
  insertCertificate,
  insertMonitorActivities,
  insertRecordSet,
} from '../../src/store/engine/target-history.ts';
import { dnsFacts, sslFacts } from '../support/target-facts.ts';
import {
  client,
  expectRefused,
  expectStatus,
  ISO_TIME,
  MINUTE,
  NOW,
  PUSH_TYPES,
  type Json,
} from './support.ts';

// What was seen of a monitor's target over time.

const { open, get, monitor } = client();

let hosts = 0;

/** A monitor of a host of its own, whose records and certificate changed once. */
async function changed(): Promise<number> {
  const host = `host${(hosts += 1)}.example.com`;
  const { id } = await monitor('http', { url: `https://${host}`, check_types: ['ssl', 'dns'] });
  const { database, alice } = await open();
  const line = { team_id: alice.teamId, monitor_id: id, created_at: NOW + MINUTE };
  await database.transaction(async (tx) => {
    await insertRecordSet(tx, host, dnsFacts('192.0.2.1'), NOW);
    await insertRecordSet(tx, host, dnsFacts('192.0.2.2'), NOW + MINUTE);
    await insertCertificate(tx, `${host}:443`, sslFacts(NOW, 'aa'), NOW);
    await insertCertificate(tx, `${host}:443`, sslFacts(NOW + MINUTE, 'bb'), NOW + MINUTE);
    await insertMonitorActivities(tx, [
      { ...line, type: 'dns_changed', description: 'DNS records changed.' },
      { ...line, type: 'certificate_changed', description: 'Another certificate.' },
    ]);
  });
  return id;
}

const NOUNS = ['dns', 'certificates', 'activities'] as const;
const TIME_OF = { dns: 'seen_at', certificates: 'seen_at', activities: 'created_at' };

describe('the history of a target', () => {
  it.each(NOUNS)('GET /monitors/{id}/%s is a page, newest first [24.29]', async (noun) => {
    const id = await changed();
    const answer = await get(`/monitors/${id}/${noun}?per_page=1`);
    expectStatus(answer, 200);
    expect(answer.body).toMatchObject({ current_page: 1, per_page: 1, total: 2, last_page: 2 });
    const whole = (await get(`/monitors/${id}/${noun}`)).body['data'] as Json[];
    const times = whole.map((entry) => String(entry[TIME_OF[noun]]));
    for (const time of times) expect(time).toMatch(ISO_TIME);
    expect(times).toEqual(times.toSorted().toReversed());
    const [newest] = answer.body['data'] as Json[];
    expect(newest).toEqual(whole[0]);
  });

  it('an entry of the DNS history is all records of the host as they were from then on [24.30]', async () => {
    const id = await changed();
    const [newest] = (await get(`/monitors/${id}/dns`)).body['data'] as Json[];
    expect(newest).toMatchObject({
      host: expect.stringMatching(/\.example\.com$/),
      source: 'authoritative',
      records: { A: ['192.0.2.2'], AAAA: [], CNAME: [], MX: [], NS: [], TXT: [], SOA: [] },
    });
  });

  it('an entry of the certificates is one certificate, with its dates, names and chain [24.31]', async () => {
    const id = await changed();
    const [newest] = (await get(`/monitors/${id}/certificates`)).body['data'] as Json[];
    expect(newest).toMatchObject({
      fingerprint: 'bb'.repeat(32),
      issuer: 'R11',
      names: ['example.com', 'www.example.com'],
      valid_to: new Date(NOW + MINUTE).toISOString(),
      chain: [{ subject: 'R11' }],
      error: null,
    });
  });

  it.each(NOUNS)('an unusable page of %s is 422 on that parameter [4.3]', async (noun) => {
    const id = await changed();
    expectRefused(await get(`/monitors/${id}/${noun}?page=0`), 'page');
    expectRefused(await get(`/monitors/${id}/${noun}?per_page=101`), 'per_page');
  });

  it.each(PUSH_TYPES)('a %s monitor has no history of a target [24.32]', async (type) => {
    const { id } = await monitor(type);
    for (const noun of NOUNS) {
      const answer = await get(`/monitors/${id}/${noun}`);
      expect(answer.body).toMatchObject({ data: [], total: 0, from: null, to: null });
    }
  });

  it.each(NOUNS)("the %s of another team's monitor are 404 [1.8]", async (noun) => {
    const id = await changed();
    expectStatus(await get(`/monitors/${id}/${noun}`, 'mallory'), 404);
  });
});
