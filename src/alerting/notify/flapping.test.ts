import { expect, test } from 'vitest';
import { createAlertStory } from '../../../test/support/alert-story.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { render } from '../message/render.ts';

const MINUTE = 60;

eachDatabase((_, open) => {
  test('a flapping message counts all incidents, also those notified one by one before, once whatever the number of channels [32.19]', async () => {
    const story = await createAlertStory(await open());
    const ops = await story.destinationOf('alert_channel', await story.channel());
    for (const type of ['ntfy', 'discord']) await story.channel({ type });
    const shop = await story.monitor({ friendly_name: 'Shop' });
    const began = story.now();
    for (let time = 0; time < 5; time += 1) {
      await story.fail(shop);
      await story.pass(2 * MINUTE);
      await story.recover(shop);
      await story.pass(2 * MINUTE);
    }
    const alarm = (await story.messages(ops)).at(-1)!;
    expect(alarm).toMatchObject({ kind: 'alarm', alert: { kind: 'flapping' } });
    expect(alarm.flapping?.incidents).toBe(4);
    expect(alarm.flapping!.since - began).toBeLessThan(MINUTE * 1_000);
    const said = render(alarm, { timezone: 'UTC', links: { details: null, acknowledge: null } });
    expect(said.lines[0]).toContain('again and again: 4 incidents since');
    await story.pass(31 * MINUTE);
    expect(await story.messages(ops)).toMatchObject([
      { kind: 'recovery', flapping: { incidents: 5 } },
    ]);
  });
});
