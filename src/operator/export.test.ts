import { LEAST } from '../../test/support/monitor-bodies.ts';
import { rowOf } from '../../test/support/rows.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openApi } from '../../test/support/api.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { operatorContext, runCommand } from '../../test/support/operator.ts';
import { pathOf, ROUTES } from '../../test/support/owned.ts';
import { MASK } from '../lib/secret-box.ts';
import { COLLECTIONS } from '../resources/nouns.ts';

/** Where the document shows the rows of a table. */
const EXPORTED: Record<string, string> = {
  ...Object.fromEntries(COLLECTIONS.map(({ declared, kinds }) => [declared.table, kinds])),
  team: 'teams',
  member: 'members',
  invitation: 'invitations',
  token: 'tokens',
  person: 'users',
  monitor: 'monitors',
  monitor_tag: 'monitors',
  monitor_dependency: 'monitors',
  monitor_slo: 'slos',
  correction: 'corrections',
  status_page_group: 'status_pages',
  status_page_image: 'status_pages',
  status_page_service: 'status_pages',
  announcement: 'announcements',
  announcement_page: 'announcements',
  announcement_service: 'announcements',
  announcement_incident: 'announcements',
  announcement_update: 'announcements',
  subscriber: 'subscribers',
  incident: 'incidents',
  ping_alias: 'monitors',
};

/** Tables that an export leaves out, by the reason. */
const LEFT_OUT: Record<string, string> = {
  'what was observed and done, not what people set':
    'activity incident_evidence incident_round incident_monitor_day incident_team_day monitor_activity status_span ping rollup_day rollup_hour rollup_recent_day certificate dns_record_set audit_entry announcement_update_version report_run maintenance_occurrence imported_days',
  'work that waits or is under way':
    'alert alert_incident alert_recipient alert_recipient_incidents delivery delivery_attempt destination event grouping_window inspection monitor_inspection monitor_state mailing live_change status_page_change idempotency_key progress budget rate_limit',
  'ways to sign in, which are secrets':
    'credential passkey two_factor used_code verification session oauth_access_token oauth_client oauth_consent oauth_grant oauth_refresh_token oauth_resource former_ping_token',
  'the state of the installation and its processes':
    'node shard process_report probe_overload region_health service_gap installation_problem installation_watch setting',
  'what files say, and which things they describe': 'configuration_set configuration_item',
  'of the engine itself': 'kysely_migration kysely_migration_lock sqlite_sequence',
};

test('every table is exported, or left out for a reason [39.26]', async () => {
  const { read } = await openInMemory();
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table'`.execute(read);
  const days = /_\d{8}$/;
  const known = [...Object.keys(EXPORTED), ...Object.values(LEFT_OUT).join(' ').split(' ')];
  const stored = rows.map(({ name }) => name).filter((name) => !days.test(name));
  expect(stored.toSorted()).toEqual(known.toSorted());
});

eachDatabase((_name, open) => {
  test('an export shows what was made by the API, with settings and without secrets [39.26]', async () => {
    const api = await openApi(await open());
    for (const route of ROUTES) {
      const isOfOne = route.method === 'GET' && /^\/[a-z-]+\/:id$/.test(route.path);
      if (isOfOne || route.name === 'updateInvitation') await pathOf(api, route);
    }
    const { id } = await api.create({
      auth_type: 'basic',
      auth_username: 's3cret-user',
      auth_password: 's3cret-password',
      request_headers: { 'X-Key': 's3cret-header' },
    });
    const { ping_url, id: jobId } = await api.create(LEAST.heartbeat);
    const make = async (method: string, path: string, body: object) => {
      const answer = await api.call(api.alice, method, `/api/v1${path}`, body);
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
      return answer.body as { id: number };
    };
    await make('POST', `/monitors/${jobId}/ping-aliases`, { path: '/api/push/s3cretOfTheJob' });
    await make('PUT', `/monitors/${id}/slo`, { target_percent: 99.9, window_days: 30 });
    await api.clock.advance(7_200_000);
    const times = { from: '2030-01-01T01:00:00Z', to: '2030-01-01T01:30:00Z' };
    await make('POST', `/monitors/${id}/corrections`, {
      ...times,
      as: 'false_alarm',
      reason: 'A drill',
    });
    const page = await make('POST', '/status-pages', { name: 'Ours', monitors: [{ id }] });
    for (const subscriber of [
      { kind: 'email', address: 'visitor@example.com' },
      { kind: 'webhook', address: 'https://hooks.example.com/s3cret-of-a-visitor' },
    ])
      await make('POST', `/status-pages/${page.id}/subscribers`, subscriber);
    await make('POST', '/alert-channels', {
      type: 'ntfy',
      name: 'Phone',
      settings: {
        server_url: 'https://ntfy.example.com',
        topic: 's3cret-topic',
        token: 's3cret-token',
      },
    });
    await make('POST', '/webhook-endpoints', {
      name: 'Pager',
      url: 'https://hooks.example.com/s3cret',
      auth_type: 'bearer',
      auth_token: 's3cret-token',
    });
    await make('POST', '/status-pages', {
      name: 'Closed',
      access: { type: 'password', password: 's3cret of the page' },
    });
    const { access_password } = await rowOf(api.database, 'status_page', { name: 'Closed' });
    const context = operatorContext(api.database);
    const { out } = await runCommand(context, ['export']);
    const document = JSON.parse(out) as {
      version: number;
      users: object[];
      teams: Record<string, object[]>[];
    };
    expect(document).toMatchObject({ format: 'tocsin-export', version: 2 });
    const secrets = ['s3cret', access_password!, String(ping_url).split('/').at(-1)!];
    for (const secret of secrets) expect(out).not.toContain(secret);
    const team = document.teams.find(({ slos }) => slos!.length > 0)!;
    for (const name of new Set(Object.values(EXPORTED)))
      if (!['users', 'teams'].includes(name)) expect([name, team[name]?.length]).not.toContain(0);
    const credentials = { auth_username: MASK, auth_password: MASK, request_headers: MASK };
    expect(team['monitors']).toContainEqual(expect.objectContaining({ id, ...credentials }));
    expect(team['monitors']).toContainEqual(expect.objectContaining({ url: MASK, ping_url: MASK }));
    expect(team['monitors']).toContainEqual(
      expect.objectContaining({ id: jobId, ping_aliases: 1 }),
    );
    expect(team['webhook_endpoints']).toContainEqual(
      expect.objectContaining({ url_host: 'hooks.example.com', url: MASK, auth_token: MASK }),
    );
    expect(team['status_pages']).toContainEqual(
      expect.objectContaining({ access: expect.objectContaining({ password: MASK }) }),
    );
    expect(team['slos']).toMatchObject([{ monitor_id: id, target_percent: 99.9 }]);
    expect(team['corrections']).toMatchObject([{ monitor_id: id, reason: 'A drill' }]);
    expect(team['announcements']).toMatchObject([{ updates: [{ text: 'Made.' }] }]);
    expect(team['subscribers']).toMatchObject([
      { status_page_id: page.id, kind: 'email', address: 'visitor@example.com' },
      { status_page_id: page.id, kind: 'webhook', address: MASK },
    ]);
    expect(team['alert_channels']).toContainEqual(
      expect.objectContaining({
        name: 'Phone',
        settings: expect.objectContaining({
          server_url: 'https://ntfy.example.com',
          topic: MASK,
          token: MASK,
        }),
      }),
    );

    // Without the key all settings are masked.
    const { out: closed } = await runCommand(
      { ...context, keys: async () => ['another key for tests'] },
      ['export'],
    );
    expect(closed).not.toMatch(/ntfy\.example\.com|visitor@example\.com/);
  });
});
