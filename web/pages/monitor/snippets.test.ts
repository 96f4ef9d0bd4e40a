import { expect, it } from 'vitest';
import { cronOfInterval, snippetOf, TOOLS } from './snippets.ts';

const FACTS = { pingUrl: 'https://up.northwind.example/ping/abc', expression: '5 4 * * 1' };

it.each(TOOLS.filter((tool) => tool !== 'github'))('writes the ping URL for %s', (tool) => {
  const snippet = snippetOf(tool, FACTS);
  expect(snippet).toContain(FACTS.pingUrl);
  expect(snippet).not.toContain('/ping/TOKEN');
});

it('keeps the URL out of the repository of GitHub Actions', () => {
  expect(snippetOf('github', FACTS)).toContain('secrets.TOCSIN_PING_URL');
  expect(snippetOf('github', FACTS)).not.toContain(FACTS.pingUrl);
});

it.each(['crontab', 'github', 'kubernetes'] as const)('runs the job at its time in %s', (tool) => {
  expect(snippetOf(tool, FACTS)).toContain('5 4 * * 1');
  expect(snippetOf(tool, { ...FACTS, expression: null })).toContain('30 2 * * *');
});

it.each([
  [60, '* * * * *'],
  [300, '*/5 * * * *'],
  [3_600, '0 * * * *'],
  [21_600, '0 */6 * * *'],
  [86_400, '30 2 * * *'],
  [420, null],
  [30, null],
  [null, null],
])('runs a job of %s seconds at %s', (interval, expression) => {
  expect(cronOfInterval(interval)).toBe(expression);
});
