import { describe, expect, it } from 'vitest';
import {
  citationFaults,
  citationsInTests,
  citationsInText,
  readContract,
  untested,
} from '../scripts/contract-check.ts';
import { titlesOf } from '../scripts/test-titles.ts';

const PAGE = `# The contract

## 1. First

- **1.1** One.
- **1.2** withdrawn
- **1.3** Three.

## 2. Second

- **2.1** Four.
`;

// In parts, since this file is read for citations, too.
const CONTRACT = 'contract';
const numbersIn = (text: string) => citationsInText('a.ts', text).map(({ number }) => number);
const cite = (number: string) => ({ place: 'a.ts:3', number });
const title = (test: string) => `describe('group', () => { ${test}('text [1.1, 2.1]', f); });`;
const group = (tests: string) => `describe('group [1.1]', () => { ${tests} });`;

describe('the numbers of the contract', () => {
  it('are read with their statements', () => {
    const { statements, sections, faults } = readContract(PAGE);
    expect(faults).toEqual([]);
    expect(sections).toBe(2);
    expect([...statements]).toEqual([
      ['1.1', 'One.'],
      ['1.2', null],
      ['1.3', 'Three.'],
      ['2.1', 'Four.'],
    ]);
  });

  it.each([
    [
      'a number that stands twice',
      '1.3',
      '1.1',
      ['docs/contract.md:7: statement 1.3 is expected here'],
    ],
    ['a gap', '1.3', '1.4', ['docs/contract.md:7: statement 1.3 is expected here']],
    [
      'a number of another section',
      '2.1',
      '1.4',
      ['docs/contract.md:11: statement 2.1 is expected here'],
    ],
    [
      'a statement without a number',
      '**1.3** ',
      '',
      ['docs/contract.md:7: statement 1.3 is expected here'],
    ],
    [
      'a section that is left out',
      '## 2.',
      '## 3.',
      ['docs/contract.md:9: section 2 is expected here'],
    ],
  ])('%s is a fault', (_what, text, replacement, faults) => {
    expect(readContract(PAGE.replace(text, replacement)).faults).toEqual(faults);
  });
});

describe('citations of the contract', () => {
  it.each([
    [' 1.1.', ['1.1']],
    [' 1.1, 1.3 and 2.1', ['1.1', '1.3', '2.1']],
    [' 1.1 to 1.3', ['1.1', '1.3']],
    [',\n * 1.1', []],
    ['\n * 1.1,\n * 2.1', ['1.1', '2.1']],
    [', section 2', ['2']],
    [', sections 1 and 2', ['1', '2']],
    ['.ts 1.1', []],
  ])('in comments: contract%j', (text, expected) => {
    expect(numbersIn(CONTRACT + text)).toEqual(expected);
  });

  it('in the keys of a table of groups', () => {
    const table = "const ROWS = { 'one [1.1]': [], two: [], 'three [2.1]': [] };\n";
    const groups = "describe.each(Object.entries(ROWS))('%s', () => void it('is'));";
    const cited = citationsInTests('a.test.ts', table + groups);
    expect(cited.map(({ number }) => number)).toEqual(['1.1', '2.1']);
  });

  it.each([
    ['it', ['1.1', '2.1']],
    ['test.each(rows)', ['1.1', '2.1']],
    [`it.${'skip'}`, []],
    [`it.${'todo'}`, []],
    ['it.fails', []],
    ['call', []],
  ])('in a title of %s', (test, expected) => {
    const cited = citationsInTests('a.test.ts', title(test));
    expect(cited.map(({ number }) => number)).toEqual(expected);
  });

  it('in the title of a group are those of its tests that run', () => {
    expect(citationsInTests('a.test.ts', group(`it('text', f);`))).toEqual([
      { place: 'a.test.ts:1', number: '1.1' },
    ]);
    expect(citationsInTests('a.test.ts', group(`it.${'skip'}('text', f);`))).toEqual([]);
    expect(citationsInTests('a.test.ts', group(''))).toEqual([]);
  });

  it('name a statement or a section that exists', () => {
    const numbers = ['1.1', '1.2', '1.4', '2', '3', '3.1'];
    expect(citationFaults(readContract(PAGE), numbers.map(cite))).toEqual([
      'a.ts:3: contract 1.2 is withdrawn',
      'a.ts:3: contract 1.4 does not exist',
      'a.ts:3: contract 3 does not exist',
      'a.ts:3: contract 3.1 does not exist',
    ]);
  });

  it('of tests leave over the statements that no test shows', () => {
    const cited = citationsInTests('a.test.ts', title('it'));
    expect(untested(readContract(PAGE), cited)).toEqual(['1.3']);
    const skipped = citationsInTests('a.test.ts', title(`it.${'skip'}`));
    expect(untested(readContract(PAGE), skipped)).toEqual(['1.1', '1.3', '2.1']);
  });
});

it('titles of tests are those that run, without their citations', () => {
  const source = `
    describe('group [1.2]', () => {
      it('plain [1.1, 1.2]', () => {});
      it.each([1])('of a table %d', () => {});
      test.concurrent(\`\${kind} at once [1.3]\`, () => {});
      it.${'skip'}('skipped', () => {});
      it.${'todo'}('to do');
      it.fails('broken', () => {});
      describe.${'skip'}('lame', () => { it('inside', () => {}); });
      call('other');
    });`;
  expect([...titlesOf(source)]).toEqual([
    'plain',
    'group › plain',
    'of a table %d',
    'group › of a table %d',
    '${kind} at once',
    'group › ${kind} at once',
  ]);
});
