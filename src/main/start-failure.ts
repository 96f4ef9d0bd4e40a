import { readFile, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';
import { isUnavailable } from '../store/database/errors.ts';

/**
 * Names and codes of errors with a complete message, logged without a stack. The codes of Postgres are a wrong user or
 * password and a missing database.
 */
const EXPECTED_ERRORS = new Set([
  'BusUnavailable',
  'DataFolderError',
  'SecretKeyError',
  'MissingKeyError',
  'FirstStartFileError',
  'OwnerSettingError',
  'PlansFileError',
  'NewerDatabaseError',
  'MoveRunningError',
  'EADDRINUSE',
  'EACCES',
  '28P01',
  '28000',
  '3D000',
]);

/** Fields and message to log for an error that prevented the start. */
export async function startFailure(error: unknown): Promise<{
  fields: { error?: unknown };
  message: `Tocsin could not start: ${string}`;
}> {
  return {
    fields: isExpected(error) ? {} : { error },
    // Log: The message goes on with the reason. The process exits.
    message: `Tocsin could not start: ${await sentenceOf(error)}`,
  };
}

function isExpected(error: unknown): boolean {
  const { code, name } = error as { code?: string; name?: string };
  return isUnavailable(error) || EXPECTED_ERRORS.has(code ?? '') || EXPECTED_ERRORS.has(name ?? '');
}

async function sentenceOf(error: unknown): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as { code?: string; port?: number };
  if (code !== 'EADDRINUSE' || port === undefined) return error.message;
  const holder = await portHolder(port);
  const by = holder === null ? '' : ` by ${holder}`;
  const other = port === 65_535 ? port - 1 : port + 1;
  return `port ${port} is already in use${by}. Stop what listens there, or choose another port: PORT=${other} npm start`;
}

/** State of a listening socket (Linux, include/net/tcp_states.h). */
const LISTENING = '0A';

/**
 * Describes the process that listens on a TCP port, such as `process 4711 (nginx)`; null where the system does not tell:
 * other systems than Linux, and processes of other users. Only the program is named, as arguments may be secret.
 *
 * @param proc root of procfs (proc(5)).
 */
export async function portHolder(port: number, proc = '/proc'): Promise<string | null> {
  const sockets = await listeningSockets(port, proc);
  if (sockets.size === 0) return null;
  const pids = (await readdir(proc).catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    if (await holdsAny(path.join(proc, pid, 'fd'), sockets)) {
      return `process ${pid}${await programOf(path.join(proc, pid))}`;
    }
  }
  return null;
}

/** Links of descriptors to sockets that listen on the port, such as `socket:[4242]`. */
async function listeningSockets(port: number, proc: string): Promise<Set<string>> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(path.join(proc, 'net', name), 'utf8').catch(() => '')),
  );
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  const links = tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(`:${wanted}`) && state === LISTENING)
    .map((columns) => `socket:[${columns[9]}]`);
  return new Set(links);
}

async function holdsAny(folder: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const descriptors = await readdir(folder).catch(() => []);
  for (const name of descriptors) {
    if (sockets.has(await readlink(path.join(folder, name)).catch(() => ''))) return true;
  }
  return false;
}

/** Program and script of a process in parentheses; empty when they can't be read. */
async function programOf(folder: string): Promise<string> {
  const words = (await readFile(path.join(folder, 'cmdline'), 'utf8').catch(() => '')).split('\0');
  const [program = '', script = ''] = words;
  if (program === '') return '';
  // Some programs show a title, such as `nginx: master process …`.
  const shown = [path.basename(program.split(' ', 1)[0]!).replace(/:$/, '')];
  if (/^[\w./-]+\.(js|ts|mjs|cjs|py|rb|jar)$/.test(script)) shown.push(script);
  return ` (${shown.join(' ')})`;
}
