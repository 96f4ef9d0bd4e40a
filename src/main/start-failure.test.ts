import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freshDirectory } from '../../test/support/directories.ts';
import { DatabaseBusy, DatabaseUnavailable } from '../store/database/errors.ts';
import { portHolder, startFailure } from './start-failure.ts';

test.each([
  [new DatabaseUnavailable('connection refused'), 'connection refused'],
  [new DatabaseBusy('canceling statement due to lock timeout'), 'The database is busy'],
])('%s at the start is one clear message without a stack [39.16]', async (error, words) => {
  const { fields, message } = await startFailure(error);
  expect(fields).toEqual({});
  expect(message).toContain(`Tocsin could not start: `);
  expect(message).toContain(words);
});

test('an unexpected error at start keeps its stack', async () => {
  const error = new TypeError('a mistake');
  expect((await startFailure(error)).fields).toEqual({ error });
});

/** An error as `listen` reports it. */
const inUse = (port: number) =>
  Object.assign(new Error(`listen EADDRINUSE: address already in use 0.0.0.0:${port}`), {
    code: 'EADDRINUSE',
    port,
  });

test('a taken port is reported with the process that has it, and how to choose another [39.46]', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { fields, message } = await startFailure(inUse(port));
  expect(fields).toEqual({});
  expect(message).toContain(`port ${port} is already in use by process ${process.pid} (`);
  expect(message).toContain(
    `choose another port: PORT=${port === 65_535 ? port - 1 : port + 1} npm start`,
  );
});

/** A line of /proc/net/tcp. */
const row = (local: string, state: string, inode: number) =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000 0 ${inode} 1 0`;

/** A tree like /proc with one process that listens on port 3000. */
async function procTree(cmdline: string): Promise<string> {
  const { place, remove } = await freshDirectory();
  onTestFinished(remove);
  await mkdir(path.join(place, 'net'));
  await writeFile(
    path.join(place, 'net/tcp'),
    ['  sl  local_address', row('0100007F:0BB8', '01', 7), row('00000000:0BB9', '0A', 8)].join(
      '\n',
    ),
  );
  await writeFile(
    path.join(place, 'net/tcp6'),
    ['  sl  local_address', row(`${'0'.repeat(32)}:0BB8`, '0A', 4242)].join('\n'),
  );
  for (const pid of ['12', '4711']) await mkdir(path.join(place, pid, 'fd'), { recursive: true });
  await symlink('socket:[7]', path.join(place, '12/fd/3'));
  await symlink('socket:[4242]', path.join(place, '4711/fd/19'));
  await writeFile(path.join(place, '4711/cmdline'), cmdline);
  return place;
}

test.each([
  ['/usr/sbin/nginx\0-g\0daemon off;', 'process 4711 (nginx)'],
  ['nginx: master process /usr/sbin/nginx', 'process 4711 (nginx)'],
  ['/usr/bin/node\0src/start.js\0--token=secret', 'process 4711 (node src/start.js)'],
  ['/usr/bin/psql\0postgres://user:secret@host/db', 'process 4711 (psql)'],
  ['', 'process 4711'],
])('the program is named without its arguments: %j', async (cmdline, shown) => {
  expect(await portHolder(3000, await procTree(cmdline))).toBe(shown);
});

test('a port that nobody of this user listens on has no known holder', async () => {
  const proc = await procTree('x');
  expect(await portHolder(3001, proc)).toBe(null);
  expect(await portHolder(3000, '/nowhere')).toBe(null);
});
