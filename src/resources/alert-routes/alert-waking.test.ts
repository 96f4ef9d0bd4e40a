import { expect, it } from 'vitest';
import { openApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { alertStore } from '../../store/alerting/alerts.ts';
import { updateRows } from '../../../test/support/rows.ts';

eachDatabase((_name, open) => {
  it('what goes on is looked at when others may be told of it from now on', async () => {
    const api = await openApi(await open());
    const { alice, mallory, database } = api;
    const monitorId = (await api.create()).id;
    const alert = {
      kind: 'single' as const,
      severity: 'critical' as const,
      monitorId,
      incidentType: 'uptime',
      isGroupable: false,
    };
    const ours = { ...alert, teamId: alice.teamId };
    await database.transaction((tx) =>
      alertStore(tx).insert(
        [
          { ...ours, incidentId: 1 },
          { ...ours, incidentId: 2 },
          { ...alert, teamId: mallory.teamId, monitorId: 999, incidentId: 3 },
        ],
        1,
      ),
    );
    await updateRows(database, 'alert', { over_at: 2 }, { id: 2 });
    const woken = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body: object = {}) => {
      await database.transaction((tx) => tx.updateTable('alert').set({ next_at: null }).execute());
      const answer = await api.call(alice, method, `/api/v1${path}`, body);
      expect(answer.status).toBeLessThan(300);
      const rows = await database.read
        .selectFrom('alert')
        .select('id')
        .where('next_at', 'is not', null)
        .execute();
      return { id: answer.body?.id, woken: rows.map(({ id }) => id) };
    };
    const route = { name: 'All', users: [alice.personId] };
    const { id, woken: first } = await woken('POST', '/alert-routes', route);
    expect(first).toEqual([1]);
    const path = `/alert-routes/${id}`;
    expect((await woken('PUT', path, { ...route, name: 'Same' })).woken).toEqual([1]);
    expect((await woken('DELETE', path)).woken).toEqual([1]);
    const monitor = `/monitors/${monitorId}`;
    expect((await woken('PUT', monitor, { tags: ['shop'] })).woken).toEqual([1]);
    const settings = { notification_settings: { enabled: false } };
    expect((await woken('PUT', monitor, settings)).woken).toEqual([1]);
    expect((await woken('PUT', monitor, settings)).woken).toEqual([]);
    expect((await woken('PUT', monitor, { friendly_name: 'Shop' })).woken).toEqual([]);
    const [outer, inner] = [{ name: 'Outer' }, { name: 'Inner' }];
    const { id: outerId, woken: none } = await woken('POST', '/groups', outer);
    expect(none).toEqual([]);
    const { id: innerId } = await woken('POST', '/groups', inner);
    const group = `/groups/${innerId}`;
    const nested = { ...inner, parent_id: outerId };
    expect((await woken('PUT', group, nested)).woken).toEqual([1]);
    expect((await woken('PUT', group, { ...nested, name: 'Within' })).woken).toEqual([]);
    expect((await woken('DELETE', group)).woken).toEqual([1]);
  });
});
