import { expect, test } from 'vitest';
import { openApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';

eachDatabase((_name, open) => {
  test('begins with hello [52.1]', async () => {
    const api = await openApi(await open());
    const { status, headers, text } = await api.call(api.vera, 'GET', '/api/v1/events');
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(text).toContain('event: hello');
  });
});
