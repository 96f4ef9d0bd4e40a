import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CHANNEL_TYPES } from '../src/alerting/channels/index.ts';
import { IMPORTERS } from '../src/configuration/import/index.ts';
import { MONITOR_TYPES } from '../src/monitor-types/registry.ts';
import { anchorsOf, linksFrom, linksOf } from '../scripts/links.ts';

const ROOT = new URL('..', import.meta.url);
const DOCUMENTS = ['*.md', 'docs/**/*.md', 'test/**/*.md', 'deploy/**/*.md', 'examples/**/*.md'];

const read = (file: string) => readFileSync(new URL(file, ROOT), 'utf8');

function problemOf({ file, anchor }: ReturnType<typeof linksOf>[number]): string | null {
  if (!existsSync(new URL(file, ROOT))) return `${file} does not exist`;
  if (anchor === null || !file.endsWith('.md')) return null;
  return anchorsOf(read(file)).includes(anchor) ? null : `${file} has no heading #${anchor}`;
}

test('links of documents lead to files and headings that exist', () => {
  const documents = DOCUMENTS.flatMap((pattern) => globSync(pattern, { cwd: ROOT }));
  expect(documents).toContain('docs/configuration.md');
  const problems = documents.flatMap((document) =>
    linksOf(document, read(document)).flatMap((link) => {
      const problem = problemOf(link);
      return problem === null ? [] : [`${document}: ${problem}`];
    }),
  );
  expect(problems).toEqual([]);
});

test('README.md names all monitor types, channels and imports, and counts the first two', () => {
  const [, section] = /^## Monitors and channels([^]*?)^## /m.exec(read('README.md'))!;
  const missing = [
    ...MONITOR_TYPES.map((name) => `\`${name}\``),
    ...CHANNEL_TYPES.map(({ title }) => title),
    ...IMPORTERS.map(({ title }) => title),
  ];
  expect(missing.filter((word) => !section!.includes(word))).toEqual([]);
  expect(section).toContain(`| Kinds of targets | ${MONITOR_TYPES.length} |`);
  expect(section).toContain(`| Ways to notify | ${CHANNEL_TYPES.length} |`);
});

test.each([
  ['[a](mail.md)', { file: 'docs/mail.md', anchor: null }],
  ['[a](../deploy/nats)', { file: 'deploy/nats', anchor: null }],
  ['[a](adr/)', { file: 'docs/adr', anchor: null }],
  ['[a](#here)', { file: 'docs/a.md', anchor: 'here' }],
  ['![a](../b.png) and text', { file: 'b.png', anchor: null }],
  ['[a `code`](mail.md#b)', { file: 'docs/mail.md', anchor: 'b' }],
])('a link: %s', (text, link) => {
  expect(linksOf('docs/a.md', text)).toEqual([link]);
});

test.each([
  ['[a](https://example.com/b.md)'],
  ['[a](mailto:a@example.com)'],
  ['`[a](b.md)`'],
  ['```md\n[a](b.md)\n```\n'],
])('no link to a file: %s', (text) => {
  expect(linksOf('docs/a.md', text)).toEqual([]);
});

test('headings have the names that GitHub gives them', () => {
  const text = '# One, two\n\n## `A_b` and C\n\n```sh\n# no heading\n```\n\n### One, two\n';
  expect(anchorsOf(text)).toEqual(['one-two', 'a_b-and-c', 'one-two-1']);
});

test.each([
  ['See [a](#b).', 'See [a](docs/configuration.md#b).'],
  ['See [a](deployment.md#b).', 'See [a](docs/deployment.md#b).'],
  ['See [a](../README.md#b).', 'See [a](#b).'],
  ['See [a](https://example.com/).', 'See [a](https://example.com/).'],
])('links of another document are made relative: %s', (text, expected) => {
  expect(linksFrom(text, { of: 'docs/configuration.md', to: 'README.md' })).toBe(expected);
});
