import { expect, test } from 'vitest';
import { maxConcurrent } from './runner.ts';

const limits = (openFiles: string) =>
  `Limit                     Soft Limit           Hard Limit           Units
Max processes             7823                 7823                 processes
Max open files            ${openFiles}                20000                files
Max locked memory         8388608              8388608              bytes`;

test.each([
  ['a big limit', limits('1048576'), 16_000],
  ['a limit of 20,000 files', limits('20000'), 9_904],
  ['the usual limit of a shell', limits('1024'), 416],
  ['a tiny limit', limits('64'), 16],
  ['no limit', limits('unlimited'), 16_000],
  ['no such file', null, 4_000],
])('%s [25.19]', (_name, text, expected) => {
  expect(maxConcurrent(text)).toBe(expected);
});
