import { readFileSync, globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openApi } from '../../test/support/api.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { DASHBOARD_PATHS, documentAt, ENTRY_PATHS } from './dashboard-routes.ts';

test('the server knows the pages of the dashboard, and no others', () => {
  const text = readFileSync(new URL('../../web/app/routes.tsx', import.meta.url), 'utf8');
  const routes = Array.from(text.matchAll(/\broute\(\s*'([^']+)'/g), ([, path]) => path!);
  expect(routes.length).toBeGreaterThan(10);
  expect(routes.filter((path) => documentAt(path) !== 'dashboard')).toEqual([]);
  const routed = new Set(routes.map((path) => path.split('/')[1]!));
  expect(DASHBOARD_PATHS.filter((part) => part !== '' && !routed.has(part))).toEqual([]);
});

test('the server knows the pages for visitors, and no others', () => {
  const text = readFileSync(new URL('../../web/app/entry-pages.ts', import.meta.url), 'utf8');
  const pages = Array.from(text.matchAll(/^ {2}'(\/[\w-]+)':/gm), ([, path]) => path!);
  expect(pages).toEqual(ENTRY_PATHS);
  expect(pages.filter((path) => documentAt(path) !== 'entry')).toEqual([]);
});

test('links of the dashboard to sections of the reference lead to one', async () => {
  const web = new URL('../../web/', import.meta.url);
  const texts = globSync('{app,pages,parts}/**/*.tsx', { cwd: web }).map((name) =>
    readFileSync(new URL(name, web), 'utf8'),
  );
  const sections = texts.flatMap((text) =>
    Array.from(text.matchAll(/\/docs#([\w-]+)/g), ([, section]) => section!),
  );
  expect(sections).toContain('subject-connected-applications');
  const { app } = await openApi(await openInMemory());
  const { body } = await app.inject('/docs');
  for (const section of sections) expect(body).toContain(`id="${section}"`);
});
