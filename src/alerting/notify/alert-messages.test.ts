import { expect, test } from 'vitest';
import { createAlertStory } from '../../../test/support/alert-story.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { render } from '../message/render.ts';

const MINUTE = 60;

eachDatabase((_, open) => {
  test('messages about what was deleted keep its name and the start that people know [33.10]', async () => {
    const story = await createAlertStory(await open());
    const ops = await story.destinationOf('alert_channel', await story.channel());
    const [shop, job] = [
      await story.monitor({ friendly_name: 'Shop' }),
      await story.monitor({ type: 'cron', url: 'https://up.example/ping/secret' }),
    ];
    await story.fail(shop);
    await story.pass(12 * MINUTE);
    await story.fail(job, { condition: 'heartbeat' });
    await story.pass(12 * MINUTE);
    await story.messages(ops);
    await story.database.transaction(async (tx) => {
      await tx.deleteFrom('incident').where('monitor_id', '=', shop).execute();
      await tx.updateTable('monitor').set({ deleted_at: 1 }).where('id', '=', shop).execute();
      await tx.updateTable('monitor').set({ deleted_at: 1 }).where('id', '=', job).execute();
      await tx.updateTable('alert').set({ next_at: story.now() }).execute();
    });
    await story.pass(1);
    const said = (await story.messages(ops)).map((notice) =>
      render(notice, { timezone: 'UTC', links: { details: null, acknowledge: null } }),
    );
    expect(said.map(({ subject }) => subject)).toEqual([
      'Closed: Shop, after 24 min',
      `Closed: Monitor ${job}, after 12 min`,
    ]);
    expect(said.map(({ text }) => text).join('\n')).not.toContain('secret');
  });
});
