import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judgeRows, readTables, titlesIn, titlesOfSource } from './table.ts';

const DOCUMENT = new URL('../../docs/api-conformance.md', import.meta.url);
const HEAD = '| Statement | Source | Shown by |\n|---|---|---|\n';

describe('docs/api-conformance.md', () => {
  const { rows, faults } = readTables(readFileSync(DOCUMENT, 'utf8'));

  it('names for each statement a test that is there and runs', () => {
    expect(rows.length).toBeGreaterThan(300);
    expect([...faults, ...judgeRows(rows, titlesIn)]).toEqual([]);
  });

  it('has a row for each test in this folder', () => {
    const named = new Set(rows.map(({ file, title }) => `${file} › ${title}`));
    const files = readdirSync(new URL('.', import.meta.url))
      .filter((name) => name.endsWith('.test.ts') && name !== 'table.test.ts')
      .map((name) => `test/conformance/${name}`);
    const missing = files.flatMap((file) => {
      const titles = [...titlesIn(file)!].filter((title) => !title.includes(' › '));
      return titles.map((title) => `${file} › ${title}`).filter((test) => !named.has(test));
    });
    expect(missing).toEqual([]);
  });
});

const titles = (file: string) => (file === 'a.test.ts' ? new Set(['runs', 'group › runs']) : null);

const faultsOf = (...rows: string[]) => {
  const read = readTables(`# Title\n\n${HEAD}${rows.join('\n')}\n\nText.\n`);
  return [...read.faults, ...judgeRows(read.rows, titles)];
};

describe('the check of the table', () => {
  it('is content with rows whose test runs', () => {
    expect(
      faultsOf(
        '| One | text | `a.test.ts` › "runs" |',
        '| Two | text | `a.test.ts` › "group › runs" |',
      ),
    ).toEqual([]);
  });

  it.each([
    ['a row without a test', '| One | text | |', 'Line 5: no test is named.'],
    [
      'a file that is not there',
      '| One | text | `b.test.ts` › "runs" |',
      'Line 5: there is no b.test.ts.',
    ],
    [
      'a title that is not there',
      '| One | text | `a.test.ts` › "walks" |',
      'Line 5: a.test.ts has no test "walks" that runs.',
    ],
    [
      'a row without a source',
      '| One | | `a.test.ts` › "runs" |',
      'Line 5: a statement or its source is missing.',
    ],
  ])('finds %s', (_what, row, fault) => {
    expect(faultsOf(row)).toEqual([fault]);
  });

  it('finds a statement that stands twice', () => {
    const row = '| One | text | `a.test.ts` › "runs" |';
    expect(faultsOf(row, row)).toEqual(['Line 6: the statement stands on line 5, too.']);
  });

  it('finds a table without rows', () => {
    expect(faultsOf()).toEqual(['Line 3: the table has no rows.']);
  });

  it('knows the titles of tests that run, and no others', () => {
    const source = `
      describe('group', () => {
        it('plain', () => {});
        it.each([1])('of a table %d', () => {});
        test.concurrent('at once', () => {});
        it.${'skip'}('skipped', () => {});
        it.${'todo'}('to do');
        it.fails('broken', () => {});
        describe.${'skip'}('lame', () => { it('inside', () => {}); });
        call('other');
      });`;
    expect([...titlesOfSource(source)]).toEqual([
      'plain',
      'group › plain',
      'of a table %d',
      'group › of a table %d',
      'at once',
      'group › at once',
    ]);
  });

  it('knows no titles of a file outside the project or not there', () => {
    expect(titlesIn('test/conformance/nothing.test.ts')).toBeNull();
    expect(titlesIn('../outside.test.ts')).toBeNull();
  });
});
