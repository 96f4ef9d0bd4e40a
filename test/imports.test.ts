import { globSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { findEdges } from './imports/edges.ts';
import { judgeImports, readTable } from './imports/rules.ts';

const architecture = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8');
const source = fileURLToPath(new URL('../src', import.meta.url));
const canary = fileURLToPath(new URL('./imports/canary', import.meta.url));
const table = readTable(architecture);
const isTest = (file: string) => /\.test\.tsx?$/.test(file);

describe('src', () => {
  const judgement = judgeImports(source, table);

  test('has only the imports that the table in ARCHITECTURE.md allows', () => {
    expect(judgement.problems).toEqual([]);
  });

  test('was found and read', () => {
    expect(judgement.files).toBeGreaterThan(20);
    expect(judgement.edges).toBeGreaterThan(judgement.files);
  });
});

test('web imports packages and its own files only', () => {
  const root = fileURLToPath(new URL('../web', import.meta.url));
  const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !isTest(file));
  expect(files.length).toBeGreaterThan(20);
  const found = files.map((file) => findEdges(path.join(root, file)));
  expect(found.flatMap(({ problems }) => problems)).toEqual([]);
  const outside = found
    .flatMap(({ edges }) => edges)
    .filter(({ to }) => !to.startsWith(root + path.sep) || isTest(to));
  expect(outside).toEqual([]);
});

test('the judge of the soak imports packages and its own files only', () => {
  const root = fileURLToPath(new URL('./soak', import.meta.url));
  const judge = path.join(root, 'judge');
  const inside = globSync('**/*.ts', { cwd: judge }).map((file) => path.join(judge, file));
  const files = [path.join(root, 'judge.ts'), ...inside].filter((file) => !isTest(file));
  expect(files.length).toBeGreaterThan(5);
  const found = files.map((file) => findEdges(file));
  expect(found.flatMap(({ problems }) => problems)).toEqual([]);
  const outside = found
    .flatMap(({ edges }) => edges)
    .filter(({ to }) => !to.startsWith(judge + path.sep));
  expect(outside).toEqual([]);
});

describe('the table in ARCHITECTURE.md', () => {
  test('has a row for every folder of src', () => {
    const folders = readdirSync(source, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !['model', 'lib', 'config'].includes(entry.name))
      .map((entry) => entry.name);
    const rows = [...table.keys()];
    const hasRow = (folder: string) =>
      rows.some((row) => row === folder || row.startsWith(`${folder}/`));
    expect(folders.filter((folder) => !hasRow(folder))).toEqual([]);
  });

  test('names only folders that have a row', () => {
    const named = [...table.values()].flatMap((row) => [...row.targets, ...row.pureOf]);
    const rows = [...table.keys()];
    const isKnown = (target: string) =>
      rows.some((row) => `${target}/`.startsWith(`${row}/`) || row.startsWith(`${target}/`));
    expect(named.filter((target) => !isKnown(target))).toEqual([]);
  });

  test('has no circle', () => {
    const reachable = new Set<string>();
    const rows = [...table.keys()];
    /** The rows that a target stands for: its own, those below it, or that of the folder around a file. */
    const placesOf = (target: string): string[] => {
      const below = rows.filter((row) => row === target || row.startsWith(`${target}/`));
      const around = rows.filter((row) => target.startsWith(`${row}/`));
      return below.length > 0 ? below : around.toSorted((a, b) => b.length - a.length).slice(0, 1);
    };
    const visit = (folder: string): void => {
      const { targets = [], pureOf = [] } = table.get(folder) ?? {};
      for (const target of [...targets, ...pureOf].flatMap(placesOf)) {
        if (reachable.has(target)) continue;
        reachable.add(target);
        visit(target);
      }
    };
    const inCircles = [...table.keys()].filter((folder) => {
      reachable.clear();
      visit(folder);
      return reachable.has(folder);
    });
    expect(inCircles).toEqual([]);
  });
});

test('reads rows with remarks, several folders and pure files', () => {
  const rows = readTable(
    [
      'text',
      '| Folder | may import |',
      '|---|---|',
      '| `store`, `net` | – |',
      '| `bus` | `probe/child.ts` (only the entry) |',
      '| `service` | `store`, `bus`; the pure files of `schedule`, `history` |',
      '| `main` | everything |',
      '',
      '| `other` | `table` |',
    ].join('\n'),
  );
  expect(Object.fromEntries(rows)).toEqual({
    store: { everything: false, targets: [], pureOf: [] },
    net: { everything: false, targets: [], pureOf: [] },
    bus: { everything: false, targets: ['probe/child.ts'], pureOf: [] },
    service: { everything: false, targets: ['store', 'bus'], pureOf: ['schedule', 'history'] },
    main: { everything: true, targets: [], pureOf: [] },
  });
});

test('reports every kind of forbidden edge in the canary folder, and nothing else', () => {
  const rows = readTable(
    [
      '| Folder | may import |',
      '|---|---|',
      '| `store`, `net` | – |',
      '| `incident` | `store` |',
      '| `verdict` | `store`, `incident` |',
      '| `schedule` | `store`, `verdict` |',
      '| `service` | `store`; pure files of `schedule` |',
      '| `main` | everything |',
    ].join('\n'),
  );
  const forbidden = 'the table does not allow incident → verdict';
  expect(judgeImports(canary, rows).problems.toSorted()).toEqual(
    [
      `incident/engine.ts:2 imports verdict/judge.ts: ${forbidden}`,
      `incident/engine.ts:3 imports verdict/judge.ts: ${forbidden}`,
      `incident/engine.ts:4 imports verdict/judge.ts: ${forbidden}`,
      `incident/engine.ts:5 imports verdict/judge.ts: ${forbidden}`,
      `incident/engine.ts:6 imports verdict/judge.ts: ${forbidden}`,
      `incident/engine.ts:7 imports verdict/judge.ts: ${forbidden}`,
      'incident/engine.ts:8: import() with a computed specifier',
      'incident/engine.ts:9: new URL with a computed specifier',
      "incident/engine.ts:10: import.meta.dirname; use new URL('./x.ts', import.meta.url)",
      'incident/engine.ts:11 imports ../edges.ts: it is outside of src',
      'model/thing.ts:1 imports lib/helper.ts: model imports nothing of ours',
      'net/listen.ts:1 imports config.ts: nobody imports it: what it knows is handed in',
      'service/monitors.ts:2 imports schedule/scheduler.ts: service may import only pure files of schedule',
      'stranger has no row in the import table',
    ].toSorted(),
  );
});
