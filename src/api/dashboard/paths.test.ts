import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DASHBOARD_PATHS, isOfDashboard } from './paths.ts';

test('the server knows the pages of the dashboard, and no others', () => {
  const text = readFileSync(new URL('../../../web/app/routes.tsx', import.meta.url), 'utf8');
  const routes = Array.from(text.matchAll(/\broute\(\s*'([^']+)'/g), ([, path]) => path!);
  expect(routes.length).toBeGreaterThan(10);
  expect(routes.filter((path) => !isOfDashboard(path))).toEqual([]);
  const routed = new Set(routes.map((path) => path.split('/')[1]!));
  expect(DASHBOARD_PATHS.filter((part) => part !== '' && !routed.has(part))).toEqual([]);
});
