import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { METRICS, MONITOR_METRICS } from '../../src/lib/metric-table.ts';

const RULES = new URL('../../examples/prometheus/alerts.yml', import.meta.url);
const DASHBOARD = new URL('../../examples/grafana/tocsin.json', import.meta.url);

interface Rules {
  groups: { name: string; rules: { alert: string; expr: string; annotations: object }[] }[];
}
interface Dashboard {
  panels: { id: number; title: string; targets?: { expr: string; legendFormat: string }[] }[];
}

const rules = (parse(readFileSync(RULES, 'utf8')) as Rules).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as Dashboard;

const DOCUMENTED: Record<string, { type: string; labels: readonly string[] }> = {
  ...METRICS,
  ...MONITOR_METRICS,
};
/** Labels that Prometheus adds. */
const ADDED = ['job', 'instance', 'le'];

/** Names of metrics in an expression, those that prom-client or Prometheus itself provides left out. */
function metricsIn(expression: string): string[] {
  const names = expression.match(/\b(tocsin|probe)_[a-z0-9_]+/g) ?? [];
  return names.map((name) =>
    name in DOCUMENTED ? name : name.replace(/_(bucket|sum|count)$/, ''),
  );
}

/** Labels that an expression selects or groups by. */
function labelsIn(expression: string): string[] {
  const selected = [...expression.matchAll(/([a-z_]+)\s*(?:=~|!=|!~|=)\s*"/g)].map(
    ([, one]) => one!,
  );
  const grouped = [...expression.matchAll(/\b(?:by|without)\s*\(([^)]*)\)/g)];
  return [...selected, ...grouped.flatMap(([, list]) => list!.split(',').map((one) => one.trim()))];
}

const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
];

test.each(expressions)('%s asks for metrics and labels that exist: %s', (_name, expression) => {
  const names = metricsIn(expression);
  expect(names.length > 0 || /\b(up|process_|nodejs_)/.test(expression)).toBe(true);
  const known = new Set([...ADDED, ...names.flatMap((name) => DOCUMENTED[name]?.labels ?? [])]);
  expect(names.filter((name) => !(name in DOCUMENTED))).toEqual([]);
  expect(labelsIn(expression).filter((label) => !known.has(label))).toEqual([]);
});

test('rates are taken of counters and histograms, and of nothing else', () => {
  for (const [, expression] of expressions) {
    for (const [, name] of expression.matchAll(/\b(?:rate|increase)\((tocsin_[a-z_]+)/g)) {
      const { type } = DOCUMENTED[metricsIn(name!)[0]!]!;
      expect(type, expression).toMatch(/^(counter|histogram)$/);
    }
  }
});

test('rules have names of their own and a summary, panels have ids of their own', () => {
  const names = rules.map(({ alert }) => alert);
  expect(new Set(names).size).toBe(names.length);
  for (const { annotations } of rules) expect(annotations).toHaveProperty('summary');
  const ids = panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  // Prometheus's own judgment, where it is installed.
  const { status, stderr } = spawnSync('promtool', ['check', 'rules', RULES.pathname]);
  if (status !== null) expect([status, String(stderr)]).toEqual([0, expect.anything()]);
});
