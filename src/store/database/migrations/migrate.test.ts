import { createHash } from 'node:crypto';
import { DEFINITIONS } from '../../../monitor-types/registry.ts';
import { defaultSettings, FIELD_LIST } from '../../../monitor-types/settings.ts';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { nextLine, startStoreChild } from '../../../../test/support/children.ts';
import { eachDatabase } from '../../../../test/support/databases.ts';
import { openToMigrate, PLACES } from '../../../../test/support/migrations.ts';
import { writeSetting } from '../settings.ts';
import { MIGRATIONS, type NamedMigration } from './index.ts';
import { migrate } from './migrate.ts';
import { closedAfterEach } from '../../../../test/support/closing.ts';

/**
 * What databases out there have run. A migration that was released never changes: when one of these lines fails,
 * undo the change and append a migration. A new migration adds its line here, at the end.
 */
const RELEASED = [
  ['0001-first', 'sqlite', '6f8e2c399b144c08'],
  ['0001-first', 'postgres', 'dcd41ba326fbbcc6'],
  ['0002-groups-and-push-monitors', 'sqlite', 'c77c002feb0de5ab'],
  ['0002-groups-and-push-monitors', 'postgres', '86ec625fc6cfd4aa'],
  ['0003-list-order', 'sqlite', '4bd1a47452704091'],
  ['0003-list-order', 'postgres', 'a45f47e9cd6d9b10'],
  ['0004-rate-limits', 'sqlite', '4a588f490ab1df5b'],
  ['0004-rate-limits', 'postgres', '90eb785a29c87438'],
  ['0005-pings', 'sqlite', '6f42ff8273493ab9'],
  ['0005-pings', 'postgres', 'a70a306b6141016e'],
  ['0006-inspections', 'sqlite', '7122d385c5eb574e'],
  ['0006-inspections', 'postgres', '68748275a902b84e'],
  ['0007-people', 'sqlite', 'd9fb0b4a9d3a7dc5'],
  ['0007-people', 'postgres', '014fb9e1e9f8259e'],
  ['0008-alerts', 'sqlite', 'a7c3f3c34aa4553d'],
  ['0008-alerts', 'postgres', 'df5b337dbb5b9c50'],
  ['0009-probe-overload', 'sqlite', '070c49c8e7faa393'],
  ['0009-probe-overload', 'postgres', 'ea12b117371080fa'],
  ['0010-grouping-windows', 'sqlite', '6fe181c30f251271'],
  ['0010-grouping-windows', 'postgres', '769272c424660f40'],
  ['0011-incident-counts', 'sqlite', 'bb667d8a026f9b06'],
  ['0011-incident-counts', 'postgres', '89cb606071d8d7c2'],
  ['0012-webhook-lanes', 'sqlite', '9cb89d52adc4862e'],
  ['0012-webhook-lanes', 'postgres', 'b1e64a3f37097d37'],
  ['0013-duration-index', 'sqlite', 'e3b0c44298fc1c14'],
  ['0013-duration-index', 'postgres', '6cf57ccfa55bb099'],
  ['0014-one-outbox', 'sqlite', '608a2a23bea758a4'],
  ['0014-one-outbox', 'postgres', '608a2a23bea758a4'],
  ['0015-column-names', 'sqlite', '4a5474f95bacb542'],
  ['0015-column-names', 'postgres', '4a5474f95bacb542'],
  ['0016-monitor-hosts', 'sqlite', 'c611b82fce96bfaa'],
  ['0016-monitor-hosts', 'postgres', '90f827cae78fca41'],
  ['0017-monitor-tags', 'sqlite', 'f1dd67a9e0234a91'],
  ['0017-monitor-tags', 'postgres', 'f37f6556c473bb36'],
  ['0018-notification-settings', 'sqlite', '33db94dc61de5b2e'],
  ['0018-notification-settings', 'postgres', '194109f8d7ef9706'],
  ['0019-budgets', 'sqlite', 'c558d307339f786d'],
  ['0019-budgets', 'postgres', 'c263aac8d1cfcc5c'],
  ['0020-idempotency-keys', 'sqlite', '1dc01789b4eb3a49'],
  ['0020-idempotency-keys', 'postgres', '05b6e9f72a763f17'],
  ['0021-status-pages', 'sqlite', 'd285b487128aed34'],
  ['0021-status-pages', 'postgres', '4d3081f1f8de6c67'],
  ['0022-corrections', 'sqlite', '538b08b5a919d55f'],
  ['0022-corrections', 'postgres', '05d58665672be8e0'],
  ['0023-reports', 'sqlite', '3022ba07e213b0ae'],
  ['0023-reports', 'postgres', '984c04e9d18a492a'],
  ['0024-oauth', 'sqlite', '6887da68af812ee1'],
  ['0024-oauth', 'postgres', 'f405133acf1ac40f'],
  ['0025-live-changes', 'sqlite', '27dc69ad04a2d6a9'],
  ['0025-live-changes', 'postgres', '0545a55c21cd3fea'],
  ['0026-recent-days', 'sqlite', '9de0b1960fa28d85'],
  ['0026-recent-days', 'postgres', '661e576fd1df3562'],
  ['0027-installation-health', 'sqlite', 'e8132c98bdb363af'],
  ['0027-installation-health', 'postgres', '2c32fb0a44556fb5'],
  ['0028-room-in-pages', 'sqlite', 'e3b0c44298fc1c14'],
  ['0028-room-in-pages', 'postgres', 'd9cc2e69528362b0'],
  ['0029-deleted-monitors', 'sqlite', '04673a14505c8f2e'],
  ['0029-deleted-monitors', 'postgres', '04673a14505c8f2e'],
  ['0030-incident-rounds', 'sqlite', '650edc3af70c3dba'],
  ['0030-incident-rounds', 'postgres', 'cc1b0f9b9c67a7b8'],
  ['0031-notified-incidents', 'sqlite', '4295b2d8a3860220'],
  ['0031-notified-incidents', 'postgres', 'f4c4831039d30f95'],
  ['0032-report-crashes', 'sqlite', '826fba365c7bc2d2'],
  ['0032-report-crashes', 'postgres', '08b04c4497fa091a'],
  ['0033-former-ping-tokens', 'sqlite', '3e7938949fc0e698'],
  ['0033-former-ping-tokens', 'postgres', 'b77ffb5f3ccdb05d'],
  ['0034-bound-secrets', 'sqlite', 'e3b0c44298fc1c14'],
  ['0034-bound-secrets', 'postgres', 'e3b0c44298fc1c14'],
];

const hash = (statements: string[]) =>
  createHash('sha256')
    .update(statements.join(';').replaceAll(/\s+/g, ' '))
    .digest('hex')
    .slice(0, 16);

const cleanups = closedAfterEach<() => Promise<void>>();

describe('the list of migrations', () => {
  it('only grows', () => {
    const now = MIGRATIONS.flatMap(({ name, statements }) =>
      (['sqlite', 'postgres'] as const).map((engine) => [name, engine, hash(statements(engine))]),
    );
    expect(now).toEqual(RELEASED);
  });

  it('is in the order of its names', () => {
    const names = MIGRATIONS.map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
    for (const name of names) expect(name).toMatch(/^\d{4}-[a-z-]+$/);
  });
});

eachDatabase((engine, open) => {
  it('refuses a database of a newer version that says that this one may not use it [39.17]', async () => {
    const database = await open();
    await database.transaction(async (tx) => {
      await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '')`.execute(
        tx,
      );
      const value = '9999-future';
      await writeSetting(tx, 'oldest_usable_migration', value);
    });
    const again = migrate(database.read as Kysely<unknown>, engine);
    await expect(again).rejects.toThrow(/newer version of Tocsin.*9999-future/);
  });
});

/** Table, column and whether it may be null, as schema.ts has them, and the table of a monitor's fields. */
function columnsOfTheTypes(): string[] {
  const text = [
    'schema.ts',
    'schema-people.ts',
    'schema-alerts.ts',
    'schema-pages.ts',
    'schema-corrections.ts',
    'schema-reports.ts',
    'schema-oauth.ts',
    'schema-live.ts',
    'schema-installation.ts',
  ]
    .map((file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'))
    .join('\n');
  const { statements } = ts.createSourceFile('schema.ts', text, ts.ScriptTarget.Latest);
  const interfaces = new Map(
    statements
      .filter((statement) => ts.isInterfaceDeclaration(statement))
      .map(({ name, members }) => [name.text, members.filter(ts.isPropertySignature)]),
  );
  const typeOf = (member: ts.PropertySignature) =>
    text.slice(member.type!.pos, member.type!.end).trim();
  const columns = [
    'Schema',
    'AlertSchema',
    'PeopleSchema',
    'PagesSchema',
    'CorrectionsSchema',
    'ReportsSchema',
    'OauthSchema',
    'LiveSchema',
    'InstallationSchema',
  ]
    .flatMap((part) => interfaces.get(part)!)
    .flatMap((table) =>
      interfaces
        .get(typeOf(table))!
        .map((column) =>
          columnLine(nameOf(table), nameOf(column), typeOf(column).endsWith('| null')),
        ),
    );
  return [...columns, ...columnsOfTheFields()];
}

/** A column may be null where a monitor of some type holds nothing. */
function columnsOfTheFields(): string[] {
  const defaults = DEFINITIONS.map((type) =>
    defaultSettings(type, { regions: [], checkInterval: null }),
  );
  return FIELD_LIST.filter(({ field }) => field.codec !== null).map(({ name }) =>
    columnLine(
      'monitor',
      name,
      defaults.some((settings) => settings[name] === null),
    ),
  );
}

const nameOf = (member: ts.PropertySignature) => (member.name as ts.Identifier).text;

const columnLine = (table: string, column: string, nullable: boolean) =>
  `${table}.${column}${nullable ? ' or null' : ''}`;

eachDatabase((engine, open) => {
  it('makes the columns that schema.ts promises', async () => {
    const database = await open();
    const made =
      engine === 'sqlite'
        ? sql<{ table: string; column: string; nullable: number }>`
            select t.name as "table", c.name as "column", c."notnull" = 0 and c.pk = 0 as nullable
            from pragma_table_list t, pragma_table_info(t.name) c
            where t.type = 'table' and t.name not like 'sqlite%' and t.name not like 'kysely%'`
        : sql<{ table: string; column: string; nullable: number }>`
            select table_name as "table", column_name as "column", (is_nullable = 'YES')::int as nullable
            from information_schema.columns
            where table_schema = 'public' and table_name not like 'kysely%'`;
    const { rows } = await made.execute(database.read);
    const lines = rows.map(({ table, column, nullable }) =>
      columnLine(table, column, nullable === 1),
    );
    expect(lines.toSorted()).toEqual(columnsOfTheTypes().toSorted());
  });
});

const next = (last: string): NamedMigration => ({
  name: '9998-next',
  statements: () => ['create table next (id integer primary key)', last],
});

describe.each(PLACES)('an empty $name', (place) => {
  const options = () => place.options(cleanups);

  it('is migrated once by processes that start at the same time [39.17]', async () => {
    const argument = JSON.stringify(await options());
    const children = [1, 2, 3].map(() => startStoreChild('open', argument));
    cleanups.push(...children.map((child) => child.kill));
    const answers = await Promise.all(children.map(nextLine));
    const ran = answers.map((line) => (JSON.parse(line) as string[]).length);
    expect(ran.toSorted()).toEqual([0, 0, MIGRATIONS.length]);
  });

  it('has nothing of a migration that fails, and takes the mended one', async () => {
    const db = openToMigrate(await options(), cleanups);
    const attempt = (last: string) => migrate(db.kysely, db.engine, [...MIGRATIONS, next(last)]);
    await expect(attempt('insert into missing values (1)')).rejects.toThrow('missing');
    const { ran } = await attempt('insert into next values (1)');
    expect(ran).toEqual([...MIGRATIONS.map(({ name }) => name), '9998-next']);
  });

  it('waits for the jobs that are there since they were made, when pings come, and lists their tags', async () => {
    const { kysely, engine } = openToMigrate(await options(), cleanups);
    const before = MIGRATIONS.filter(({ name }) => name < '0005');
    await migrate(kysely, engine, before);
    const [made, expected] = [1_000, 31_000];
    const jobs = [
      { id: 1, paused: 0, expected, tags: '["b","a","b"]' },
      { id: 2, paused: 1, expected },
      { id: 3, paused: 0, expected: null },
    ];
    for (const { tags = '[]', ...job } of jobs) {
      await sql`insert into monitor (id, team_id, shard, type, url, check_types, monitored_regions, tags, is_paused,
          http_method, follow_redirects, request_timeout, verify_ssl, ssl_expiry_threshold, domain_expiry_threshold,
          error_text_detection, failure_threshold, recovery_threshold, version, revision, created_at, updated_at)
        values (${job.id}, 1, 0, 'heartbeat', '', '[]', '[]', ${tags}, ${job.paused},
          'GET', 1, 30, 1, 14, 30, 0, 2, 1, 1, 1, ${made}, ${made})`.execute(kysely);
      await sql`insert into monitor_state (monitor_id, team_id, revision, status, is_paused, tracks, newest,
          heartbeat_expected_at)
        values (${job.id}, 1, 1, 'pending', ${job.paused}, '{}', '{}', ${job.expected})`.execute(
        kysely,
      );
    }
    await migrate(kysely, engine, MIGRATIONS);
    const { rows } =
      await sql`select monitor_id, armed_at, due_at from monitor_state order by monitor_id`.execute(
        kysely,
      );
    expect(rows).toEqual([
      { monitor_id: 1, armed_at: made, due_at: expected },
      { monitor_id: 2, armed_at: null, due_at: null },
      { monitor_id: 3, armed_at: null, due_at: null },
    ]);
    const tagged = await sql`select * from monitor_tag order by tag`.execute(kysely);
    expect(tagged.rows).toEqual([
      { monitor_id: 1, tag: 'a', team_id: 1 },
      { monitor_id: 1, tag: 'b', team_id: 1 },
    ]);
  });

  it('keeps the mails that wait when they become deliveries', async () => {
    const { kysely, engine } = openToMigrate(await options(), cleanups);
    await migrate(
      kysely,
      engine,
      MIGRATIONS.filter(({ name }) => name < '0014'),
    );
    await sql`insert into destination (team_id, kind, next_at, claim, failures, last_error, created_at)
      values (1, 'channel', 7, 3, 2, 'mail 2', 1)`.execute(kysely);
    const mails = [
      { id: 2, kind: 'invitation', attempts: 0, next_at: 50, leased_until: null },
      { id: 9, kind: 'reset_password', attempts: 3, next_at: 40, leased_until: 95 },
    ];
    for (const { id, kind, attempts, next_at, leased_until } of mails)
      await sql`insert into mail (id, kind, sealed, attempts, next_at, leased_until, expires_at, created_at)
        values (${id}, ${kind}, ${`sealed ${id}`}, ${attempts}, ${next_at}, ${leased_until}, 900, ${id})`.execute(
        kysely,
      );
    await migrate(kysely, engine, MIGRATIONS);
    const { rows } =
      await sql`select destination.next_at as queue_next_at, leased_until, claim, failures, last_error,
        destination.kind as queue, delivery.* from destination
        left join delivery on delivery.destination_id = destination.id order by destination.id`.execute(
        kysely,
      );
    const waiting = { queue: 'mail', failures: 0, last_error: null, status: 'pending' };
    expect(rows).toMatchObject([
      { queue: 'channel', queue_next_at: 7, claim: 3, failures: 2, last_error: 'mail 2', id: null },
      {
        ...waiting,
        kind: 'invitation',
        message_id: 'invitation.2.2',
        body: 'sealed 2',
        attempts: 0,
        claim: 0,
        next_at: 50,
        queue_next_at: 50,
        leased_until: null,
        expires_at: 900,
        created_at: 2,
        team_id: null,
        finished_at: null,
      },
      {
        ...waiting,
        kind: 'reset_password',
        message_id: 'reset_password.9.9',
        body: 'sealed 9',
        attempts: 3,
        claim: 3,
        next_at: 40,
        queue_next_at: 40,
        leased_until: 95,
        expires_at: 900,
        created_at: 9,
        team_id: null,
        finished_at: null,
      },
    ]);
    await expect(sql`select * from mail`.execute(kysely)).rejects.toThrow('mail');
  });

  it('keeps rows, indexes and triggers when columns get other names', async () => {
    const { kysely, engine } = openToMigrate(await options(), cleanups);
    await migrate(
      kysely,
      engine,
      MIGRATIONS.filter(({ name }) => name < '0015'),
    );
    await sql`insert into person (id, name, email, timezone, created_at, updated_at)
      values (1, 'a', 'a@example.com', 'UTC', 1, 1)`.execute(kysely);
    await sql`insert into team (id, name, slug, personal_team, created_at, updated_at)
      values (1, 'a', 'a', 0, 1, 1)`.execute(kysely);
    await sql`insert into monitor_state (monitor_id, team_id, revision, status, is_paused, tracks, newest,
        judged_revision, is_put_off, due_at)
      values (7, 1, 1, 'online', 0, '{}', '{}', 3, 1, 60)`.execute(kysely);
    await sql`insert into alert (id, team_id, kind, severity, opened_at, gather_until, told_at, told_count)
      values (5, 1, 'single', 'critical', 10, 11, 12, 13)`.execute(kysely);
    await sql`insert into alert_recipient (alert_id, destination_id, told_at, last_told_at, severity)
      values (5, 6, 20, 21, 'critical')`.execute(kysely);
    await sql`insert into region_health (region, changed_at, told_at) values ('fra', 30, 31)`.execute(
      kysely,
    );
    await migrate(kysely, engine, MIGRATIONS);
    const rowsOf = async (table: string) =>
      (await sql`select * from ${sql.table(table)}`.execute(kysely)).rows;
    expect(await rowsOf('monitor_state')).toMatchObject([
      { evaluated_revision: 3, is_postponed: 1 },
    ]);
    expect(await rowsOf('alert')).toMatchObject([
      { groupable_until: 11, notified_at: 12, notified_count: 13 },
    ]);
    expect(await rowsOf('alert_recipient')).toMatchObject([
      { notified_at: 20, last_notified_at: 21 },
    ]);
    expect(await rowsOf('region_health')).toMatchObject([{ notified_at: 31 }]);
    await sql`insert into incident (team_id, monitor_id, type, severity, is_regional, started_at, created_at, updated_at)
      values (1, 7, 'uptime', 'critical', 0, 40, 40, 40)`.execute(kysely);
    expect(await rowsOf('incident_monitor_day')).toMatchObject([
      { monitor_id: 7, total: 1, open: 1 },
    ]);
    await sql`update monitor_state set due_at = 70 where due_at = 60`.execute(kysely);
    expect(await rowsOf('monitor_state')).toMatchObject([{ due_at: 70 }]);
  });
});
