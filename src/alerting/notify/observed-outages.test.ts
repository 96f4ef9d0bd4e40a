import { expect, test } from 'vitest';
import { beginStory, channelOf } from '../../../test/support/alert-story.ts';
import { insertRows, updateRows } from '../../../test/support/rows.ts';
import { render } from '../message/index.ts';

test('a recovery counts as down what was observed, as uptime does [33.18]', async () => {
  const story = await beginStory();
  const ops = await channelOf(story);
  const shop = await story.monitor({ friendly_name: 'Shop' });
  const began = story.now();
  const { teamId: team_id } = story.people.alice;
  const span = (status: string, from: number, to: number | null) =>
    insertRows(story.database, 'status_span', {
      team_id,
      monitor_id: shop,
      status,
      from_at: began + from * 1_000,
      to_at: to === null ? null : began + to * 1_000,
    } as never);
  await story.fail(shop);
  await story.pass(241);
  await span('offline', 0, 65);
  await span('unobserved', 65, 241);
  await span('online', 241, null);
  const observed_until = story.now();
  await updateRows(story.database, 'monitor_state', { observed_until }, { monitor_id: shop });
  await story.recover(shop);
  const recovery = (await story.messages(ops)).at(-1)!;
  expect(recovery).toMatchObject({ kind: 'recovery', troubles: [{ unobservedMs: 176_000 }] });
  const links = { details: null, acknowledge: null };
  const { subject, facts } = render(recovery, { timezone: 'UTC', links });
  expect(subject).toBe('Back up: Shop, down 1 min');
  expect(facts.find(({ name }) => name === 'Lasted')?.value).toBe(
    '1 min, and not observed for 2 min, 10 Jan 2030, 12:00:00 to 12:04:01 UTC',
  );
});
