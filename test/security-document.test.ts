import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { titlesOf } from '../scripts/test-titles.ts';

const ROOT = new URL('../', import.meta.url);
const DOCUMENT = readFileSync(new URL('docs/security.md', ROOT), 'utf8');
const HEAD = '| Section | State | How, and what is missing | Shown by |';
const STATES = ['Met', 'Partly', 'Not yet', 'Not applicable'];

test('docs/security.md names files, pages and tests that are there', () => {
  const paths = Array.from(DOCUMENT.matchAll(/`((?:src|test)\/[\w./-]+)`/g), ([, path]) => path!);
  const pages = Array.from(DOCUMENT.matchAll(/\]\(([\w-]+\.md)\)/g), ([, page]) => `docs/${page}`);
  expect(paths.length).toBeGreaterThan(50);
  expect([...paths, ...pages].filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([]);

  const tests = Array.from(DOCUMENT.matchAll(/`([\w./-]+\.test\.ts)` › "([^"]+)"/g));
  expect(tests.length).toBeGreaterThan(10);
  const missing = tests.filter(([, file, title]) => {
    const path = new URL(file!, ROOT);
    return !existsSync(path) || !titlesOf(readFileSync(path, 'utf8')).has(title!);
  });
  expect(missing.map(([text]) => text)).toEqual([]);
});

test('docs/security.md has a state and a word on it for each section', () => {
  const rows = DOCUMENT.split('\n').filter((line) => /^\| (?:\d+(?:\.\d+)?\b)/.test(line));
  expect(rows.length).toBeGreaterThan(50);
  expect(DOCUMENT.split(HEAD)).toHaveLength(18);
  for (const row of rows) {
    const [, section, state, how] = row.split('|').map((cell) => cell.trim());
    expect([section, STATES.includes(state!)]).toEqual([section, true]);
    expect([section, how]).not.toEqual([section, '']);
  }
});
