import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { PortCheckRequest } from '../../src/monitor-types/port.ts';
import {
  answering,
  dripping,
  page,
  startServer,
  type OnConnection,
} from '../support/fault-servers.ts';
import { httpCheck } from '../support/probing.ts';
import {
  down,
  HANGS,
  HERE,
  http,
  invalid,
  TARGET,
  up,
  type Expected,
  type Row,
  type Start,
} from './row.ts';

const nothing: OnConnection = () => undefined;
/** Not at once: otherwise it is a race whether the system reports the connection or its reset. */
const resetSoon: OnConnection = (socket) => void setTimeout(() => socket.resetAndDestroy(), 50);
const resetAfter =
  (text: string): OnConnection =>
  (socket) =>
    void socket.once('data', () =>
      socket.write(text, () => setImmediate(() => socket.resetAndDestroy())),
    );
/** Sends data before it receives any. */
const greeting =
  (text: string | Buffer): OnConnection =>
  (socket) =>
    void socket.write(text);

/** A listener in a blocked thread; `deaf` has its backlog filled already. */
function sleeping(kind: 'deaf' | 'slow', sleepMs = 0): Start {
  return async () => {
    const thread = new Worker(new URL('deaf-thread.ts', import.meta.url), {
      workerData: { kind, sleepMs },
    });
    const [listening] = (await once(thread, 'message')) as [number];
    const fillers: Socket[] = [];
    for (let count = 0; count < (kind === 'deaf' ? 2 : 0); count++) {
      const socket = connect(listening, '127.0.0.1').on('error', () => undefined);
      fillers.push(socket);
      await once(socket, 'connect');
    }
    return {
      port: listening,
      // What it took never learns of its end.
      allClosed: () => Promise.resolve(),
      async close() {
        for (const socket of fillers) socket.destroy();
        await thread.terminate();
      },
    };
  };
}

function port(
  name: string,
  start: Start | null,
  expected: Expected,
  more: Partial<PortCheckRequest & Pick<Row, 'guard' | 'names'>> = {},
): Row {
  const { guard = 'open', names, ...request } = more;
  return {
    name,
    ...(start === null ? {} : { start }),
    ...(names === undefined ? {} : { names }),
    request: {
      type: 'port',
      monitorId: 1,
      timeoutMs: 10_000,
      host: '127.0.0.1',
      port: TARGET,
      ...request,
    },
    guard,
    expected,
  };
}

const serving =
  (onConnection: OnConnection, host?: string): Start =>
  () =>
    startServer(onConnection, host);

const REFUSED = down('connection_refused', 'Connection refused by 127.0.0.1 port {port}', 'dns');

/** Ports: only whether a connection is accepted matters. */
export const PORT_ROWS: Row[] = [
  port('port: nobody listens', null, REFUSED),
  port(
    'port: nobody listens on IPv6',
    null,
    down('connection_refused', 'Connection refused by [::1] port {port}', 'dns'),
    { host: '::1' },
  ),
  port('port: takes it and says nothing', serving(nothing), up(null)),
  port('port: takes it over IPv6', serving(nothing, '::1'), up(null), { host: '::1' }),
  port('port: greets', serving(greeting('220 mail.example ESMTP\r\n')), up(null)),
  port('port: resets', serving(resetSoon), up(null)),
  port(
    'port: closes at once',
    serving((socket) => void socket.destroy()),
    up(null),
  ),
  port(
    'port: half-closes at once',
    serving((socket) => void socket.end()),
    up(null),
  ),
  port('port: takes it late', sleeping('slow', 150), up(null)),
  port(
    'port: its queue is full',
    sleeping('deaf'),
    down('connection_timeout', 'Connection to 127.0.0.1 port {port} timed out after 2 s', 'dns'),
    { timeoutMs: 2_000 },
  ),
  port(
    'port: number 0',
    null,
    down('connection_refused', 'Connection refused by 127.0.0.1 port 0', 'dns'),
    { port: 0 },
  ),
  port(
    'port: a broadcast address',
    null,
    down('host_unreachable', 'Host 127.255.255.255 is unreachable', 'dns'),
    { host: '127.255.255.255' },
  ),
  port(
    'port: a multicast address',
    null,
    down('host_unreachable', 'Host 224.0.0.1 is unreachable', 'dns'),
    { host: '224.0.0.1', guard: 'multicast too' },
  ),
  port(
    'port: the unspecified address',
    serving(nothing),
    down('target_not_allowed', 'Target 0.0.0.0 is not allowed (ALLOW_PRIVATE_TARGETS)', 'nothing'),
    { host: '0.0.0.0' },
  ),
  port(
    'port: a link-local address',
    null,
    down(
      'target_not_allowed',
      'Target fe80::1%lo is not allowed (ALLOW_PRIVATE_TARGETS)',
      'nothing',
    ),
    { host: 'fe80::1%lo' },
  ),
  port(
    'port: a loopback address where none is allowed',
    serving(nothing),
    down(
      'target_not_allowed',
      'Target 127.0.0.1 is not allowed (ALLOW_PRIVATE_TARGETS)',
      'nothing',
    ),
    { guard: 'closed' },
  ),
  port(
    'port: no host name at all',
    null,
    down('dns_not_found', '"a b" is not a valid host name', 'nothing'),
    { host: 'a b' },
  ),
];

/** Connection faults under HTTP. */
export const CONNECTION_ROWS: Row[] = [
  {
    name: 'http: nobody listens',
    request: httpCheck(HERE),
    guard: 'open',
    expected: REFUSED,
  },
  {
    name: 'http: its queue is full',
    start: sleeping('deaf'),
    request: httpCheck(HERE, HANGS),
    guard: 'open',
    expected: down(
      'connection_timeout',
      'Connection to 127.0.0.1 port {port} timed out after 2 s',
      'dns',
    ),
  },
  {
    name: 'http: takes connections late',
    start: sleeping('slow', 150),
    request: httpCheck(HERE),
    guard: 'open',
    expected: up(),
  },
  {
    name: 'http: port 0',
    request: httpCheck('http://127.0.0.1:0/'),
    guard: 'open',
    expected: down('connection_refused', 'Connection refused by 127.0.0.1 port 0', 'dns'),
  },
  {
    name: 'http: a broadcast address',
    request: httpCheck('http://127.255.255.255/'),
    guard: 'open',
    expected: down('host_unreachable', 'Host 127.255.255.255 is unreachable', 'dns'),
  },
  http(
    'http: takes it and says nothing',
    nothing,
    down('no_response', 'No response within 2 s', 'tcp', null),
    HANGS,
  ),
  http(
    'http: never reads',
    (socket) => {
      socket.pause();
      // A socket only learns of the other side's end by reading.
      setTimeout(() => socket.resume(), 2 * (HANGS.timeoutMs ?? 0));
    },
    down('no_response', 'No response within 2 s', 'tcp', null),
    { ...HANGS, method: 'POST', body: 'x'.repeat(10_000) },
  ),
  http(
    'http: resets before it answers',
    resetSoon,
    down('connection_reset', 'Connection reset by 127.0.0.1 port {port}', 'tcp', null),
  ),
  http(
    'http: resets after the request',
    (socket) => void socket.once('data', () => socket.resetAndDestroy()),
    down('connection_reset', 'Connection reset by 127.0.0.1 port {port}', 'tcp', null),
  ),
  http(
    'http: resets within the headers',
    resetAfter('HTTP/1.1 200 OK\r\nA: '),
    down(
      'response_cut_short',
      'Response cut short within its headers: connection reset',
      'ttfb',
      null,
    ),
  ),
  http(
    'http: resets within the body',
    resetAfter('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx'),
    down(
      'response_cut_short',
      'Response cut short after 1 of 9 bytes of body: connection reset',
      'ttfb',
      200,
    ),
  ),
  http(
    'http: resets a body that ends by closing',
    resetAfter('HTTP/1.1 200 OK\r\n\r\nxyz'),
    down(
      'response_cut_short',
      'Response cut short after 3 bytes of body: connection reset',
      'ttfb',
      200,
    ),
  ),
  http(
    'http: resets between chunks',
    resetAfter('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n'),
    down(
      'response_cut_short',
      'Response cut short after 1 bytes of body: connection reset',
      'ttfb',
      200,
    ),
  ),
  http(
    'http: resets after the whole answer',
    resetAfter('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx'),
    up(),
  ),
  http(
    'http: closes after the request',
    (socket) => void socket.once('data', () => socket.end()),
    down(
      'response_cut_short',
      'Connection closed by 127.0.0.1 port {port} without a response',
      'tcp',
      null,
    ),
  ),
  http(
    'http: half-closes at once and says nothing',
    (socket) => void socket.end(),
    down(
      'response_cut_short',
      /^Connection closed by 127\.0\.0\.1 port \d+ without a response$/,
      'tcp',
      null,
    ),
  ),
  http(
    'http: answers, half-closes and stays',
    (socket) => {
      socket.allowHalfOpen = true;
      socket.once('data', () => socket.end(page('bye')));
    },
    up(),
  ),
  http(
    'http: answers before it is asked',
    greeting('HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n'),
    {
      ...down('http_status', 'HTTP 408 Request Timeout', 'whole', 408),
    },
  ),
  http(
    'http: refuses the body of a request after its head',
    (socket) =>
      void socket.once('data', () =>
        socket.end('HTTP/1.1 413 Too Much\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'),
      ),
    down('http_status', /^HTTP 413 /, 'whole', 413),
    { method: 'POST', body: 'x'.repeat(10_000) },
  ),
  http('http: one byte of the status line at a time', dripping('', 'H'), invalid('it is not HTTP')),
  http(
    'http: a status line that never ends',
    dripping('HTTP/1.1 200 ', 'O'),
    down('no_response', 'Response not complete within 2 s', 'ttfb', null),
    HANGS,
  ),
  http('http: greets as mail', greeting('220 mail.example ESMTP\r\n'), invalid('it is not HTTP')),
  http(
    'http: greets as secure shell',
    greeting('SSH-2.0-OpenSSH_9.2\r\n'),
    invalid('it is not HTTP'),
  ),
  http(
    'http: greets as a database',
    greeting(Buffer.from('4a0000000a382e302e33', 'hex')),
    invalid('it is not HTTP'),
  ),
  http(
    'http: answers as a key-value store',
    answering("-ERR wrong number of arguments for 'get' command\r\n"),
    invalid('it is not HTTP'),
  ),
];
