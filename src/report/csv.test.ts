import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { sampleFacts } from '../../test/support/report-facts.ts';
import { DELIMITERS, reportCsv, safeText, type Delimiter } from './csv.ts';

const NAMES = Object.keys(DELIMITERS) as Delimiter[];

/** Names that attackers give monitors. */
const HOSTILE = [
  '=HYPERLINK("https://evil.example";"Click")',
  '+1+1',
  '-2+3',
  '@SUM(A1)',
  '\t=1+1',
  '\r=1+1',
  '＝1+1',
  'Shop,=1+1',
  'Shop;=1+1',
  'Shop\t=1+1',
  'Shop; "=1+1"',
  '"=1+1',
  "'=1+1",
  ' =1+1',
  'Shop\n=1+1',
  'a"",=cmd|\' /C calc\'!A0',
];

function namesIn(text: string, delimiter: string): string[] {
  const rows = parse(text, {
    delimiter,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
  }) as string[][];
  return rows.flat();
}

describe('the CSV file', () => {
  test.each(NAMES)('has columns in snake_case and numbers with a dot, with %j [45.14]', (name) => {
    const text = reportCsv(sampleFacts(), name);
    const [head, ...rows] = parse(text, { delimiter: DELIMITERS[name] }) as string[][];
    for (const column of head!) expect(column).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
    for (const row of rows) expect(row).toHaveLength(head!.length);
    expect(rows.map(([kind]) => kind)).toEqual(['total', 'group', 'tag', 'monitor', 'monitor']);
    const column = (title: string) => rows.map((row) => row[head!.indexOf(title)]);
    expect(column('uptime_percent')).toEqual(['99.5', '99.5', '99', '99', '100']);
    expect(column('slo_budget_left_seconds')).toEqual(['', '', '', '-12.5', '']);
    expect(text.endsWith('\r\n')).toBe(true);
  });

  test.each(NAMES.flatMap((own) => HOSTILE.map((name) => [own, name] as const)))(
    'with %j, no spreadsheet reads %j as a formula, whatever delimiter it takes [45.15]',
    (own, name) => {
      const text = reportCsv(sampleFacts({ monitor: name }), own);
      for (const read of [',', ';', '\t', '|']) {
        for (const cell of namesIn(text, read)) {
          expect(cell).not.toMatch(/^[\s"]*[=+@＝＋－＠]/u);
          // A negative number is one.
          if (/^[\s"]*-/.test(cell)) expect(cell).toMatch(/^-\d+(\.\d+)?$/);
        }
      }
    },
  );

  it('has the name as it is where it holds no formula', () => {
    for (const name of ['Shop', 'Łódź, 東京', 'a - b', 'x=1', 'mail@example.com', '2-3'])
      expect(safeText(name)).toBe(name);
  });

  it('never begins a text with a formula', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(safeText(text)).not.toMatch(/(^|[,;|"'\t])[\s"]*[=+\-@＝＋－＠]/u);
      }),
    );
  });
});
