import { expect, test } from 'vitest';
import { secondsOf } from './duration.ts';

test.each([
  ['60s', 60],
  ['1h30m', 5_400],
  ['1.5h', 5_400],
  ['500ms', 0.5],
  ['250us', 0.00025],
  ['1d', 86_400],
  ['2w', 1_209_600],
  ['1y', 31_536_000],
  [' 5m ', 300],
  ['+5m', 300],
  ['0', 0],
  [0, 0],
  ['', undefined],
  ['5', undefined],
  [5, undefined],
  ['-5m', undefined],
  ['5 m', undefined],
  ['5m and more', undefined],
  [null, undefined],
])('%j', (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds);
});
