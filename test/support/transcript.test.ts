import { expect, test } from 'vitest';
import { patternOf } from './transcript.ts';

test.each([
  ['one line', 'one line'],
  ['…\nThe end.', 'Anything.\nThe end.\n'],
  ['…\nThe end.\n…\n', 'The end.'],
  ['{"id":…,"name":"a"}', '{\n"id":17,"name":"a"}'.replace('\n', '')],
  ['03:03:22 info  Started. port=3000', '11:00:01 info  Started. port=3000'],
  ['from 2026-11-22 03:03 UTC', 'from 2030-01-01 23:59 UTC'],
  ['a\n  b', 'a\nb'],
])('%j is shown by %j', (shown, output) => {
  expect(output).toMatch(patternOf(shown));
});

test.each([
  ['one line', 'another line'],
  ['first…second', 'second first'],
  ['a.b', 'axb'],
])('%j is not shown by %j', (shown, output) => {
  expect(output).not.toMatch(patternOf(shown));
});

test('a long output that does not match yet takes no time', () => {
  const pattern = patternOf(
    '…\nThis is the first start.\n\n  http://localhost/setup?token=…\n…\nListening.',
  );
  const beganAt = process.cpuUsage().user;
  expect('⠙ installing '.repeat(40_000)).not.toMatch(pattern);
  expect((process.cpuUsage().user - beganAt) / 1_000).toBeLessThan(2_000);
});
