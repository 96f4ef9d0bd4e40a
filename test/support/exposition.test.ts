import { expect, test } from 'vitest';
import { parseExposition } from './exposition.ts';

const HEAD = '# HELP a_total Help.\n# TYPE a_total counter\n';

test('a text is parsed', () => {
  const family = parseExposition(`${HEAD}a_total{b="c\\"d\\\\\\n",e=""} 1.5\na_total 2\n`);
  expect(family.get('a_total')).toEqual({
    type: 'counter',
    help: 'Help.',
    samples: [
      { name: 'a_total', labels: { b: 'c"d\\\n', e: '' }, value: 1.5 },
      { name: 'a_total', labels: {}, value: 2 },
    ],
  });
});

test.each([
  ['no line feed', `${HEAD}a_total 1`],
  ['no HELP', 'a_total 1\n'],
  ['no TYPE', '# HELP a_total Help.\na_total 1\n'],
  ['HELP twice', `${HEAD}a_total 1\n${HEAD}`],
  ['a sample of another family', `${HEAD}b 1\n`],
  ['a sample twice', `${HEAD}a_total{b="c"} 1\na_total{b="c"} 2\n`],
  ['a label twice', `${HEAD}a_total{b="c",b="d"} 1\n`],
  ['an open label', `${HEAD}a_total{b="c} 1\n`],
  ['no number', `${HEAD}a_total one\n`],
  ['a counter without _total', '# HELP a Help.\n# TYPE a counter\na 1\n'],
  ['a gauge with _total', '# HELP a_total Help.\n# TYPE a_total gauge\na_total 1\n'],
  ['milliseconds', '# HELP a_ms Help.\n# TYPE a_ms gauge\na_ms 1\n'],
])('%s is refused', (_name, text) => {
  expect(() => parseExposition(text)).toThrow();
});
