import { readFileSync, globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openApi } from '../../test/support/api.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { PAGES, VISITOR_PAGES } from './dashboard-pages.gen.ts';
import { documentAt } from './dashboard-routes.ts';

test('the server knows the pages of the dashboard and those for visitors', () => {
  expect(PAGES.length).toBeGreaterThan(10);
  for (const path of PAGES) expect([path, documentAt(path)]).toEqual([path, 'dashboard']);
  expect(VISITOR_PAGES).toContain('/sign-in');
  for (const path of VISITOR_PAGES) expect([path, documentAt(path)]).toEqual([path, 'entry']);
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
