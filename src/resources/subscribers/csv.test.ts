import { describe, expect, it, test } from 'vitest';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { mainThreadMs } from '../../../test/support/main-thread.ts';
import { parseImport, type ImportedLine } from './csv.ts';

const linesOf = async (text: string) => (await parseImport(text)) as ImportedLine[];
const addresses = async (text: string) => (await linesOf(text)).map(({ address }) => address);

describe('an imported file', () => {
  test.each<[string, string, Partial<ImportedLine>[]]>([
    [
      'commas',
      'address,monitors\na@b.c,1 2\n',
      [{ line: 2, address: 'a@b.c', monitors: '1 2', kind: 'email' }],
    ],
    [
      'semicolons, CRLF and a BOM',
      '\uFEFFkind;Email\r\nslack; a@b.c \r\n',
      [{ kind: 'slack', address: 'a@b.c' }],
    ],
    ['tabs, CR and empty lines', '\raddress\tx\r\r\ra\t1\r', [{ line: 5, address: 'a' }]],
    [
      'quotes',
      'x,address\n"a ""b"", c;\n", "d" \ne,f',
      [
        { line: 2, address: 'd' },
        { line: 4, address: 'f' },
      ],
    ],
    [
      'cells that are missing',
      'a,b,address\n1\n1,2,3,4\n',
      [
        { line: 2, address: '' },
        { line: 3, address: '3' },
      ],
    ],
    ['a quote within a cell', 'address\na"b\n', [{ address: 'a"b' }]],
    ['no lines', 'address', []],
  ])('is read with %s [44.8]', async (_what, text, lines) => {
    expect(await parseImport(text)).toMatchObject(lines);
    expect(await linesOf(text)).toHaveLength(lines.length);
  });

  test.each<[string, string, string]>([
    [
      'without names',
      'a,b\n1,2',
      'must begin with a line of column names, one of them address or email',
    ],
    [
      'without anything',
      '\n\n',
      'must begin with a line of column names, one of them address or email',
    ],
    [
      'with an open quote',
      'address\n\n"a',
      "can't be read as CSV: line 3 has a quote that is not closed",
    ],
    [
      'with text behind a quote',
      'address\n"a"b',
      "can't be read as CSV: line 2 has text behind a quote",
    ],
    [
      'of many columns',
      `address\n${','.repeat(101)}`,
      "can't be read as CSV: line 2 has more than 100 columns",
    ],
    [
      'of many lines',
      `address\n${'a\n'.repeat(10_001)}`,
      'must have at most 10000 lines: divide it into several files',
    ],
  ])('%s is refused [44.8]', async (_what, text, fault) => {
    expect(await parseImport(text)).toBe(fault);
  });

  it('is read as another parser reads it', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', 'ä') });
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { maxLength: 5 }), async (cells) => {
        const text = `address\n${cells.map((each) => `"${each.replaceAll('"', '""')}",x\n`).join('')}`;
        const options = {
          relax_column_count: true,
          trim: true,
          from: 2,
          delimiter: [',', ';', '\t'],
        };
        const expected = (parse(text, options) as string[][]).map(([first]) => first!.trim());
        expect(await addresses(text)).toEqual(expected);
      }),
    );
  });

  test.each([
    ['short lines', 'address,monitors\n', 'a\n'],
    ['addresses', 'address\n', 'a@example.com\n'],
    ['empty lines', 'address\n', '\n'],
    ['commas', 'address\n', ','],
    ['open quotes', 'address\n', '"'],
    ['quoted cells', 'address\n', '"",\n'],
    ['spaces', 'address\n', ' '],
  ])('of a megabyte of %s is read in turns', async (_what, head, piece) => {
    const text = head + piece.repeat(1_000_000 / piece.length);
    expect(await mainThreadMs(() => parseImport(text))).toBeLessThan(50);
  });
});
