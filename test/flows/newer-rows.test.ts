import { expect, test } from 'vitest';
import { openApi } from '../support/api.ts';
import { eachDatabase } from '../support/databases.ts';
import { updateRows } from '../support/rows.ts';

/** A value of each column that a later release may add to those that there are. */
const NEWER = 'pigeon';

/*
 * While a cluster is upgraded, and after a way back, processes of this release read rows of the next one, which may hold
 * types that this release does not know.
 */
eachDatabase((_, open) => {
  test('lists and single rows are answered beside rows of types that only a newer release knows', async () => {
    const { app, alice, create, call, database } = await openApi(await open());
    const { id } = await create({ url: 'http://a.example/' });
    const other = await create({ url: 'http://b.example/' });
    const incident = await call(alice, 'POST', '/api/v1/incidents', {
      monitor_id: id,
      started_at: '2029-12-31T23:00:00Z',
      status: 'open',
      severity: 'critical',
      root_cause: 'It is broken.',
    });
    expect(incident.status).toBe(201);
    const channel = await call(alice, 'POST', '/api/v1/alert-channels', {
      type: 'slack',
      name: 'Slack',
      settings: { webhook_url: 'https://hooks.slack.com/services/T0/B0/x' },
    });
    expect(channel.status).toBe(201);
    await updateRows(database, 'monitor', { type: NEWER }, { id });
    await updateRows(database, 'incident', { type: NEWER });
    await updateRows(database, 'activity', { type: NEWER });
    await updateRows(database, 'alert_channel', { type: NEWER });
    await updateRows(database, 'audit_entry', { action: `${NEWER}.flew`, target_type: NEWER });

    const paths = [
      `monitors monitors?sort=url monitors/${id} monitors/${other.id} monitors/${id}/incidents`,
      `monitors/${id}/results monitors/${id}/uptime monitors/overview attention uptime-summary`,
      `expirations groups incidents incidents/${incident.body.id} alert-channels alert-routes slos`,
      `alert-channels/${channel.body.id} audit-log notification-channels`,
    ].flatMap((line) => line.split(' '));
    const answers: string[] = [];
    for (const path of paths) {
      const { statusCode, body } = await app.inject({
        url: `/api/v1/${path}`,
        headers: { authorization: `Bearer ${alice.token}` },
      });
      if (statusCode !== 200) answers.push(`${path}: ${statusCode} ${body.slice(0, 200)}`);
    }
    expect(answers).toEqual([]);

    const edit = { name: 'Pigeons' };
    const edited = await call(alice, 'PUT', `/api/v1/alert-channels/${channel.body.id}`, edit);
    expect(edited).toMatchObject({ status: 422, body: { errors: { type: [expect.any(String)] } } });
    const deleted = await call(alice, 'DELETE', `/api/v1/alert-channels/${channel.body.id}`);
    expect(deleted.status).toBe(204);
  });
});
