import { expect, test } from 'vitest';
import { createLog } from './log.ts';

function logged(isTTY: boolean): string {
  let text = '';
  const output = { isTTY, write: (line: string) => ((text += line), true) };
  const log = createLog('info', output as unknown as NodeJS.WriteStream);
  log.debug({}, 'Below the level.');
  log.warn({ attempt: 3, error: new Error('Connection refused') }, 'The database is away.');
  return text;
}

test('a line is a JSON object where the output is no terminal [39.21]', () => {
  const text = logged(false);
  expect(text.endsWith('\n')).toBe(true);
  expect(JSON.parse(text)).toMatchObject({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    attempt: 3,
    error: { message: 'Connection refused', stack: expect.stringContaining('log.test') },
    msg: 'The database is away.',
  });
});

test('a line is readable on a terminal', () => {
  expect(logged(true)).toMatch(
    /^\d\d:\d\d:\d\d warn {2}The database is away\. attempt=3 error="Connection refused"\n$/,
  );
});
