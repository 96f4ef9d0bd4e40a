import { expect, test } from 'vitest';
import { createLog } from './log.ts';

const FAILED = 'A history job could not do its work; it is tried again.';
const ANSWERED = { request_id: 'r', method: 'GET', route: '/', duration_ms: 1 };

/** A logger without the table of messages and their fields. */
type SomeLog = Record<'info', (fields: object, message: string) => void>;

function logged(isTTY: boolean): string {
  let text = '';
  const output = { isTTY, write: (line: string) => ((text += line), true) };
  const log = createLog('info', output as unknown as NodeJS.WriteStream);
  log.debug({ ...ANSWERED, status: 200 }, 'A request was answered.');
  log.warn({ error: new Error('Connection refused'), job: 'roll up' }, FAILED);
  return text;
}

test('a line is a JSON object where the output is no terminal [39.21]', () => {
  const text = logged(false);
  expect(text.endsWith('\n')).toBe(true);
  expect(JSON.parse(text)).toMatchObject({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    job: 'roll up',
    error: { message: 'Connection refused', stack: expect.stringContaining('log.test') },
    msg: FAILED,
  });
});

function started(isTTY: boolean): string {
  let text = '';
  const output = { isTTY, write: (line: string) => ((text += line), true) };
  const log = createLog('info', output as unknown as NodeJS.WriteStream) as SomeLog;
  const migrations = Array.from({ length: 30 }, (_, index) => `00${index}-name`);
  log.info({ version: '1.2.3', database: 'sqlite', migrations, monitors: 7 }, 'Tocsin started.');
  return text;
}

test('the summary of the start is short on a terminal, and whole in JSON', () => {
  expect(started(true)).toMatch(
    /^\S+ info {2}Tocsin started\. version=1\.2\.3 database=sqlite monitors=7\n$/,
  );
  expect(JSON.parse(started(false))).toMatchObject({ migrations: expect.any(Array) });
});

test('a line is readable on a terminal', () => {
  expect(logged(true)).toMatch(
    /^\d\d:\d\d:\d\d warn {2}A history job could not do its work; it is tried again\. error="Connection refused" job=roll up\n$/,
  );
});
