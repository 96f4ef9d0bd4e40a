import { expect, test } from 'vitest';
import { openApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { OWNER_SETTING } from '../../identity/setup-token.ts';
import { claimSetting } from '../../store/database/settings.ts';

const PATH = '/api/v1/installation';

eachDatabase((_name, open) => {
  test('the owner of the installation sees its settings, and nobody else [55.10, 55.11]', async () => {
    const api = await openApi(await open());
    const { status, body, text } = await api.call(api.alice, 'GET', PATH);
    expect(status, text).toBe(200);
    expect(body).toMatchObject({
      version: '0.0.0',
      base_url: 'https://up.example.com',
      database: api.database.engine,
      mail_configured: true,
      open_signup: false,
      regions: [{ code: 'ash', title: 'Ashburn', vantage: 'office' }, {}, {}, {}],
      settings: [{ name: 'RAW_RETENTION_DAYS', value: '7', is_default: false, is_secret: false }],
    });
    for (const other of [api.vera, api.ed, api.mallory])
      expect((await api.call(other, 'GET', PATH)).status).toBe(403);
  });

  test('with open sign-up it is the person of the first start alone [55.11]', async () => {
    const api = await openApi(await open(), { openSignup: true });
    expect((await api.call(api.alice, 'GET', PATH)).status).toBe(403);
    await api.database.transaction((tx) =>
      claimSetting(tx, OWNER_SETTING, String(api.mallory.personId)),
    );
    expect((await api.call(api.mallory, 'GET', PATH)).status).toBe(200);
    expect((await api.call(api.alice, 'GET', PATH)).status).toBe(403);
  });
});
