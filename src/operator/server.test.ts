import { statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { freshDirectory } from '../../test/support/directories.ts';
import { operatorContext } from '../../test/support/operator.ts';
import { settlePeople } from '../../test/support/people.ts';
import { systemClock } from '../lib/clock.ts';
import { askServer } from './run.ts';
import { REQUEST_BYTES, SOCKET_PATH_BYTES, linesOf, readRequest } from './protocol.ts';
import { openOperatorSocket } from './server.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { updateRows } from '../../test/support/rows.ts';

async function listen(directory?: string) {
  const fresh = await freshDirectory();
  onTestFinished(fresh.remove);
  const folder = directory === undefined ? fresh.place : path.join(fresh.place, directory);
  await mkdir(folder, { recursive: true });
  const database = await openInMemory();
  onTestFinished(database.close);
  const logged: { fields: object; message: string }[] = [];
  const note = (fields: object, message: string) => void logged.push({ fields, message });
  const log = { debug: note, info: note, warn: note, error: note };
  const context = operatorContext(database, { clock: systemClock });
  const people = await settlePeople(database, context.clock.now());
  const open = async () => {
    const socket = await openOperatorSocket({ context, log }, folder);
    onTestFinished(async () => socket?.close());
    return socket;
  };
  const heard = { out: '', notes: [] as string[] };
  const ask = (...args: string[]) =>
    askServer(
      folder,
      { args, password: null },
      {
        out: async (words) => void (heard.out += words),
        note: async (line) => void heard.notes.push(line),
      },
    );
  return { folder, context, people, logged, open, heard, ask, file: `${folder}/operator.sock` };
}

/** Answer to arbitrary bytes. */
async function answerTo(file: string, bytes: string | Buffer): Promise<string> {
  const socket = connect(file);
  // The server may disconnect before all is written.
  socket.on('error', () => {});
  socket.write(bytes);
  return text(socket).catch(() => '');
}

test('a command runs on the open database of the server, for its owner only', async () => {
  const { context, people, open, heard, ask, file, logged } = await listen();
  await open();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await ask('user', 'reset-password', 'ed@example.com')).toEqual({ end: 'done' });
  expect(heard.out).toContain('/reset-password?token=');
  expect(context.forgotten).toEqual([{ personId: people.ed.personId }]);
  expect(await ask('user', 'reset-password', 'nobody@example.com')).toEqual({
    end: 'refused',
    message: expect.stringContaining('Nobody has the address') as string,
  });
  expect(logged.map(({ fields }) => fields)).toEqual([
    { command: 'user reset-password', end: 'done' },
    { command: 'user reset-password', end: 'refused' },
  ]);
});

test('a long answer is complete, whatever line separators it contains', async () => {
  const { context, open, heard, ask } = await listen();
  await updateRows(context.database, 'person', { name: 'x\u2028'.repeat(200_000) });
  await open();
  expect(await ask('export')).toEqual({ end: 'done' });
  expect(JSON.parse(heard.out)).toMatchObject({
    users: [{ name: 'x\u2028'.repeat(200_000) }, {}, {}, {}],
  });
});

test('serves concurrent commands', async () => {
  const { open, heard, ask } = await listen();
  await open();
  const ends = await Promise.all(Array.from({ length: 20 }, () => ask('team', 'list')));
  expect(ends).toEqual(ends.map(() => ({ end: 'done' })));
  expect(heard.out.match(/Team ours/g)).toHaveLength(20);
});

test('a missing server differs from a refusal; the socket of a killed server is replaced', async () => {
  const { open, ask, file } = await listen();
  expect(await ask('team', 'list')).toBeNull();
  writeFileSync(file, '');
  expect(await ask('team', 'list')).toBeNull();
  const socket = await open();
  expect(await ask('team', 'list')).toEqual({ end: 'done' });
  await socket?.close();
  expect(await ask('team', 'list')).toBeNull();
});

test('invalid requests are answered or disconnected, and the next one is served', async () => {
  const { open, ask, file } = await listen();
  await open();
  expect(await answerTo(file, 'GET / HTTP/1.1\r\n\r\n')).toContain('request is invalid');
  expect(await answerTo(file, '{"args":["dance"]}\n')).toContain('does not know this command');
  expect(await answerTo(file, '{"args":["backup","/etc/passwd"]}\n')).toContain(
    'does not know this command',
  );
  expect(await answerTo(file, Buffer.alloc(REQUEST_BYTES + 2, 'x'))).toBe('');
  expect(await ask('team', 'list')).toEqual({ end: 'done' });
});

test('a client that disconnects before the answer leaves nothing behind', async () => {
  const { context, open, ask, file } = await listen();
  const socket = await open();
  await updateRows(context.database, 'person', { name: 'x'.repeat(2_000_000) });
  const caller = connect(file);
  caller.write('{"args":["export"]}\n', () => caller.destroy());
  expect(await ask('team', 'list')).toEqual({ end: 'done' });
  await socket?.close();
});

test('closing does not wait for silent clients', async () => {
  const { open, file } = await listen();
  const socket = await open();
  const caller = connect(file);
  caller.on('error', () => {});
  await new Promise((resolve) => caller.once('connect', resolve));
  const gone = new Promise((resolve) => caller.once('close', resolve));
  caller.resume();
  await socket?.close();
  await gone;
});

test('a path that is too long for a socket is logged, and no socket is opened', async () => {
  const { open, ask, logged } = await listen('d'.repeat(SOCKET_PATH_BYTES));
  expect(await open()).toBeNull();
  const reason = expect.stringContaining('is longer than the 107 bytes');
  expect(logged).toMatchObject([
    { fields: { reason }, message: 'The socket of the command line could not be opened.' },
  ]);
  expect(await ask('team', 'list')).toBeNull();
});

test('only the line feed ends a line, wherever the chunks are cut', async () => {
  const whole = Buffer.from('{"a":"ö\u2028"}\nb\r\n\nrest');
  for (let cut = 0; cut <= whole.length; cut += 1) {
    const pieces = [whole.subarray(0, cut), whole.subarray(cut)];
    const stream = (async function* () {
      yield* pieces;
    })();
    const lines: string[] = [];
    for await (const line of linesOf(stream)) lines.push(line);
    expect(lines).toEqual(['{"a":"ö\u2028"}', 'b\r', '']);
  }
});

test.each(['', 'null', '[]', '{}', '{"args":"x"}', '{"args":[1]}', '{"args":[],"password":1}'])(
  '%j is not a request',
  (line) => {
    expect(readRequest(line)).toBeNull();
  },
);
