import { NO_PRIVATE_REGIONS } from '../../../test/support/regions.ts';
import { expect, test } from 'vitest';
import { openApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import type { Bus } from '../../engine/bus/contract.ts';
import type {
  DomainFacts,
  InspectionKind,
  InspectionRequest,
  InspectionResult,
} from '../../model/inspection.ts';
import type { Database } from '../../store/database/contract.ts';
import { createInspectNow } from './inspect-now.ts';
import { insertRows } from '../../../test/support/rows.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const registration = (registrar: string): DomainFacts => ({
  expiresAt: null,
  registrar,
  statuses: [],
  source: 'rdap',
  server: 'rdap.example',
});
const MONITOR = { type: 'http', url: 'https://www.example.com/', port: null };

async function open(database: Database) {
  const clock = createFakeClock();
  const asked: InspectionRequest[] = [];
  const answers = {
    ssl: { state: 'unknown', reason: 'Connection refused' },
    dns: { state: 'failed', failure: { code: 'dns_timeout', text: 'DNS timeout' } },
    domain: { state: 'known', facts: registration('asked') },
  } as Record<InspectionKind, InspectionResult>;
  const inspect = (async (request: InspectionRequest) => {
    asked.push(request);
    return answers[request.kind];
  }) as Bus['inspect'];
  const inspectNow = createInspectNow({
    database,
    bus: { inspect },
    regions: NO_PRIVATE_REGIONS,
    clock,
  });
  return { clock, asked, inspectNow };
}

/** What the schedule found out of `example.com`. */
async function keep(
  database: Database,
  found: { kind?: InspectionKind; target?: string } & {
    facts?: DomainFacts;
    knownAt?: number;
    result?: InspectionResult;
    inspectedAt?: number;
    nextAt?: number;
  },
): Promise<void> {
  await insertRows(database, 'inspection', {
    kind: found.kind ?? 'domain',
    target: found.target ?? 'example.com',
    next_at: found.nextAt ?? null,
    claim: 0,
    known_at: found.knownAt ?? null,
    facts: found.facts ? JSON.stringify(found.facts) : null,
    inspected_at: found.inspectedAt ?? null,
    result: found.result ? JSON.stringify(found.result) : null,
    unknown_run: 0,
    is_recheck: 0,
    is_open: 0,
  });
}

eachDatabase((_name, openDatabase) => {
  test('each inspection that is on is made at once, within the time that is left', async () => {
    const { clock, asked, inspectNow } = await open(await openDatabase());
    const checkTypes = ['domain', 'keyword', 'dns', 'ssl'];
    expect(await inspectNow({ ...MONITOR, checkTypes }, 21_000)).toEqual({
      ssl: { state: 'not_run', reason: 'Nothing was found out: Connection refused.' },
      dns: { state: 'failed', failure: { code: 'dns_timeout', text: 'DNS timeout' } },
      domain: {
        state: 'known',
        target: 'example.com',
        facts: registration('asked'),
        at: clock.now(),
      },
    });
    expect(asked.toSorted((one, other) => one.kind.localeCompare(other.kind))).toEqual([
      { kind: 'dns', host: 'www.example.com', timeoutMs: 21_000 },
      { kind: 'domain', domain: 'example.com', timeoutMs: 21_000 },
      { kind: 'ssl', host: 'www.example.com', port: 443, timeoutMs: 21_000 },
    ]);
    expect(await inspectNow({ ...MONITOR, checkTypes: ['json'] }, 21_000)).toEqual({});
  });

  test.each([
    ['younger than a day: it is told', DAY - 1, 'kept'],
    ['a day old: the registry is asked', DAY, 'asked'],
  ])('a registration that is known is %s [9.26]', async (_what, age, registrar) => {
    const database = await openDatabase();
    const { clock, asked, inspectNow } = await open(database);
    await keep(database, { facts: registration('kept'), knownAt: clock.now() - age });
    const { domain } = await inspectNow({ ...MONITOR, checkTypes: ['domain'] }, 21_000);
    const at = registrar === 'kept' ? clock.now() - age : clock.now();
    expect(domain).toMatchObject({ state: 'known', facts: { registrar }, at });
    expect(asked).toHaveLength(registrar === 'kept' ? 0 : 1);
  });

  test('a registry that wants to be left alone is not asked until then', async () => {
    const database = await openDatabase();
    const { clock, asked, inspectNow } = await open(database);
    await keep(database, {
      result: { state: 'unknown', reason: 'Too many questions', retryAfterMs: HOUR },
      inspectedAt: clock.now(),
    });
    const monitor = { ...MONITOR, checkTypes: ['domain'] };
    await clock.advance(HOUR - 1);
    expect(await inspectNow(monitor, 21_000)).toEqual({
      domain: { state: 'not_run', reason: 'Nothing was found out: Too many questions.' },
    });
    expect(asked).toEqual([]);
    await clock.advance(1);
    expect(await inspectNow(monitor, 21_000)).toMatchObject({ domain: { state: 'known' } });
  });

  test('a manual check brings the inspections forward to now [9.14, 22.3]', async () => {
    const database = await openDatabase();
    const api = await openApi(database);
    const { id } = await api.create();
    const [now, later] = [api.clock.now(), api.clock.now() + HOUR];
    const targets = [
      ['ssl', 'example.com:443'],
      ['dns', 'example.com'],
      ['domain', 'example.com'],
    ] as const;
    for (const [kind, target] of targets) {
      await keep(database, { kind, target, nextAt: later });
      await insertRows(database, 'monitor_inspection', { monitor_id: id, kind, target });
    }
    const checked = await api.call(api.alice, 'POST', `/api/v1/monitors/${id}/check`);
    expect(checked.status).toBe(200);
    const rows = await database.read
      .selectFrom('inspection')
      .select(['kind', 'next_at'])
      .orderBy('kind')
      .execute();
    expect(rows.map(({ kind, next_at }) => [kind, next_at])).toEqual([
      ['dns', now],
      ['domain', now],
      ['ssl', now],
    ]);
  });
});
