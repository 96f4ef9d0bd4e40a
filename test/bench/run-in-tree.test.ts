import { expect, test } from 'vitest';
import { ROOT } from '../../bench/base.ts';
import { readReports, runInTree } from '../../bench/run-in-tree.ts';

test('tables are read from the JSON lines of an output', () => {
  const line = '{"benchmark":"a","figures":[{"name":"b","value":1}]}';
  expect(readReports(`a  measured\nb  1\n${line}\n{"other":1}\n`)).toEqual([JSON.parse(line)]);
});

test('a benchmark that fails is an error with its output', async () => {
  await expect(runInTree(ROOT, ['unheard-of'])).rejects.toThrow(
    /^unheard-of failed:\nNo benchmark named unheard-of/,
  );
});

test('a benchmark that takes too long is ended', async () => {
  const started = runInTree(ROOT, ['quick'], AbortSignal.abort());
  await expect(started).rejects.toThrow('quick took too long.');
});
