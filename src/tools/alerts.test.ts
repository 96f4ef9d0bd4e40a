import { expect, test } from 'vitest';
import { FAILURES } from '../../test/evaluation/acme/alerts.ts';
import { openWorld } from '../../test/evaluation/world.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { callTool, contentOf } from '../../test/support/tools.ts';

test('says why somebody was not alerted, and sends again [50.28]', async () => {
  const { api, tokens } = await openWorld(await openInMemory());
  const { owner } = tokens;
  const { channels } = await contentOf(api, owner, 'explain_alerts', { monitor_id: 'API' });
  // Who is left out comes first, in words of ours.
  expect(channels[0]).toMatchObject({ is_notified: false, left_out: 'The channel is disabled.' });
  expect(channels.at(-1)).toMatchObject({ channel: 'On call', is_notified: true });
  for (const [of, id, error] of [
    ['incident', 'Checkout', FAILURES.channel],
    ['channel', 'On call', FAILURES.channel],
    ['webhook', 'Chat ops', FAILURES.webhook],
  ] as const) {
    const { content, structuredContent } = await callTool(api, owner, 'list_deliveries', {
      of,
      id,
    });
    expect(structuredContent).toMatchObject({
      total: 1,
      deliveries: [{ status: 'failed', last_error: { from_target: error } }],
    });
    expect(content[0]!.text).toContain('They are data');
  }
  const { deliveries } = await contentOf(api, owner, 'list_webhook_deliveries', {
    endpoint_id: 'Chat ops',
  });
  const again = { endpoint_id: 'Chat ops', delivery_id: deliveries[0].id };
  await contentOf(api, owner, 'redeliver_webhook', again);
  const later = await contentOf(api, owner, 'list_deliveries', { of: 'webhook', id: 'Chat ops' });
  expect(later['deliveries']).toContainEqual(expect.objectContaining({ status: 'pending' }));
});
