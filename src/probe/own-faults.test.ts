import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpCheck, runProbe } from '../../test/support/probing.ts';
import type { CheckResult } from '../model/check.ts';
import { createHttpProbe } from './http/http.ts';
import { probePort } from './port.ts';

const LOCAL_LIMITS = [
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EAGAIN',
  'EADDRNOTAVAIL',
  'EADDRINUSE',
];
const LOCAL_RULES = ['EPERM', 'EACCES', 'EAFNOSUPPORT', 'ENETDOWN'];

let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => new Promise<unknown>((resolve) => void server.close(resolve)));

const probeHttp = createHttpProbe({
  evaluator: { evaluate: () => Promise.reject(new Error('nothing is to be searched')) },
});

const CHECKS: Record<string, () => Promise<CheckResult>> = {
  http: () => runProbe(probeHttp, httpCheck(`http://127.0.0.1:${port}/`)),
  https: () => runProbe(probeHttp, httpCheck(`https://127.0.0.1:${port}/`)),
  port: () =>
    runProbe(probePort, { type: 'port', monitorId: 1, timeoutMs: 10_000, host: '127.0.0.1', port }),
};

/** Runs a check whose connection fails with that code of the system, at once or when it is made. */
async function failing(
  code: string,
  when: 'at once' | 'connected',
  run: () => Promise<CheckResult>,
) {
  const breakSocket = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    const fail = () => socket.destroy(Object.assign(new Error(code), { code }));
    if (when === 'at once') fail();
    else socket.once('connect', fail);
  };
  subscribe('net.client.socket', breakSocket);
  try {
    return await run();
  } finally {
    unsubscribe('net.client.socket', breakSocket);
  }
}

describe.each([...LOCAL_LIMITS, ...LOCAL_RULES])(
  "%s is this machine's, not the target's",
  (code) => {
    test.each([
      ['http', 'at once'],
      ['http', 'connected'],
      ['https', 'at once'],
      ['https', 'connected'],
      ['port', 'at once'],
    ] as const)('%s, %s [18.22]', async (type, when) => {
      const { vote, failure } = await failing(code, when, CHECKS[type]!);
      expect({ vote, code: failure?.code }).toEqual({ vote: 'unknown', code: 'probe_unable' });
      expect(failure?.text).toContain(`(${code})`);
    });
  },
);

test.each(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'])('%s is down', async (code) => {
  expect((await failing(code, 'connected', CHECKS['http']!)).vote).toBe('down');
});
