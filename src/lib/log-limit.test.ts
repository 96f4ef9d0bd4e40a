import { expect, test } from 'vitest';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { limitLog, MAX_LINES } from './log-limit.ts';
import { silentLog } from './log.ts';

test('a message is written 1,000 times a minute, and the rest of its lines is counted [39.37]', async () => {
  const clock = createFakeClock();
  const lines: { fields: object; message: string }[] = [];
  const write = (fields: object, message: string) => void lines.push({ fields, message });
  const log = limitLog({ ...silentLog, info: write, warn: write }, clock);
  for (let pid = 0; pid < MAX_LINES + 5; pid += 1) log.info({}, 'Shard leases are renewed again.');
  log.info({}, 'Edited monitors are loaded again.');
  expect(lines).toHaveLength(MAX_LINES + 1);

  await clock.advance(60_000);
  expect(lines.at(-1)).toEqual({
    fields: { message: 'Shard leases are renewed again.', count: 5, window_seconds: 60 },
    message: 'Log lines were left out.',
  });
  log.info({}, 'Shard leases are renewed again.');
  expect(lines).toHaveLength(MAX_LINES + 3);
});
