import { describe, expect, test } from 'vitest';
import { openApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { LEAST } from '../../../test/support/monitor-bodies.ts';
import { giveToken } from '../../../test/support/people.ts';
import { rowOf } from '../../../test/support/rows.ts';
import type { Permission } from '../../identity/caller.ts';

const MONITORS = '/api/v1/monitors';
const NIGHT = { enabled: true, start: '22:00', end: '07:00', timezone: 'Europe/Berlin' };
const ALL = {
  enabled: true,
  channels: { email: ['critical'], sms: [], slack: null },
  quiet_hours: { ...NIGHT, bypass_critical: false },
};

const settingsOf = async (api: TestApi, who: string | TestApi['alice'], id: number) =>
  (await api.call(who, 'GET', `${MONITORS}/${id}`)).body['notification_settings'];

eachDatabase((_name, open) => {
  describe('notification_settings', () => {
    test('come back as they were sent, on every type of monitor [7.37]', async () => {
      const api = await openApi(await open());
      for (const [type, body] of Object.entries(LEAST)) {
        for (const settings of [ALL, {}, { quiet_hours: {} }, { channels: null }, null]) {
          const sent = { ...body, notification_settings: settings };
          const made = await api.call(api.alice, 'POST', MONITORS, sent);
          expect([type, made.status]).toEqual([type, 201]);
          expect(made.body['notification_settings']).toEqual(settings);
          expect(await settingsOf(api, api.alice, made.body.id)).toEqual(settings);
        }
      }
    });

    test('a PUT replaces the blocks that it sends, and null removes all [7.38]', async () => {
      const api = await openApi(await open());
      const { id } = await api.create({ notification_settings: ALL });
      const put = async (settings: unknown) => {
        const body = { notification_settings: settings };
        return (await api.call(api.alice, 'PUT', `${MONITORS}/${id}`, body)).body[
          'notification_settings'
        ];
      };
      expect(await put({ enabled: false })).toEqual({ ...ALL, enabled: false });
      const channels = { teams: ['info'] };
      expect(await put({ channels })).toEqual({ ...ALL, enabled: false, channels });
      const off = { enabled: false };
      expect(await put({ quiet_hours: off })).toEqual({
        enabled: false,
        channels,
        quiet_hours: off,
      });
      expect(await put({})).toEqual({ enabled: false, channels, quiet_hours: off });
      await api.call(api.alice, 'PUT', `${MONITORS}/${id}`, { friendly_name: 'Kept' });
      expect(await settingsOf(api, api.alice, id)).toMatchObject({ channels });
      expect(await put('')).toBeNull();
      expect(await put({ channels })).toEqual({ channels });
      expect(await put(null)).toBeNull();
    });

    test('are shown to tokens that may update, and to no others, in lists too [7.39]', async () => {
      const api = await openApi(await open());
      // Its next check is due at no time, so that lists keep it.
      const { id } = await api.create({ ...LEAST.heartbeat, notification_settings: ALL });
      const tokenWith = (permissions: Permission[]) =>
        giveToken(api.database, api.alice, { permissions, now: api.clock.now() });
      const reader = await tokenWith(['read', 'create', 'delete']);
      const listed = async (who: string | TestApi['alice']) => {
        const { body } = await api.call(who, 'GET', MONITORS);
        return (body['data'] as Record<string, unknown>[])[0]!['notification_settings'];
      };
      // Twice each, since lists keep what they showed.
      for (const [who, shown] of [
        [api.alice, ALL],
        [reader, null],
        [api.vera, null],
        [api.ed, ALL],
        [api.alice, ALL],
        [reader, null],
      ] as const) {
        expect(await settingsOf(api, who, id)).toEqual(shown);
        expect(await listed(who)).toEqual(shown);
      }
      const body = { ...LEAST.http, notification_settings: ALL };
      const made = await api.call(reader, 'POST', MONITORS, body);
      expect(made.body['notification_settings']).toBeNull();
    });

    test('are in the audit log, and leave the check and its next round as they are [7.40]', async () => {
      const api = await openApi(await open());
      const { id } = await api.create();
      const before = await rowOf(api.database, 'monitor_state', { monitor_id: id });
      await api.clock.advance(5_000);
      await api.call(api.alice, 'PUT', `${MONITORS}/${id}`, { notification_settings: ALL });
      expect(await rowOf(api.database, 'monitor_state', { monitor_id: id })).toEqual(before);
      expect(await rowOf(api.database, 'monitor', { id })).toMatchObject({
        version: 2,
        revision: 1,
      });
      const { body } = await api.call(api.alice, 'GET', '/api/v1/audit-log');
      expect((body['data'] as object[])[0]).toMatchObject({
        action: 'monitor.updated',
        before: { notification_settings: null },
        after: { notification_settings: ALL },
      });
    });

    test('are refused with a 422 on the wrong key, and nothing changes [7.37]', async () => {
      const api = await openApi(await open());
      const { id } = await api.create({ notification_settings: ALL });
      const wrong = {
        enabled: 'no',
        chanels: {},
        channels: { email: ['high'] },
        quiet_hours: { start: '25:00', end: '07:00', zone: 'UTC' },
      };
      const fields = [
        'notification_settings.enabled',
        'notification_settings.channels.email.0',
        'notification_settings.quiet_hours.start',
        'notification_settings.quiet_hours.zone',
        'notification_settings.chanels',
      ];
      for (const [method, path, body] of [
        ['PUT', `${MONITORS}/${id}`, {}],
        ['POST', MONITORS, LEAST.http],
      ] as const) {
        const sent = { ...body, notification_settings: wrong };
        const answer = await api.call(api.alice, method, path, sent);
        expect(answer.status).toBe(422);
        expect(Object.keys(answer.body['errors'] as object).toSorted()).toEqual(fields.toSorted());
      }
      expect(await settingsOf(api, api.alice, id)).toEqual(ALL);
    });
  });
});
