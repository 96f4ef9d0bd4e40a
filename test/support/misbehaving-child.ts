/**
 * A probe process whose "http" probe does what the url says, for tests of the bus: `do:up`, `do:throw`, `do:block` …
 */
import { noInspectors } from './inspectors.ts';
import { NO_TIMINGS, type CheckResult } from '../../src/model/check.ts';
import { serveParent } from '../../src/probe/agent/child-server.ts';
import type { ProbeSettings } from '../../src/probe/agent/runner.ts';
import type { Probe } from '../../src/probe/contract.ts';
import type { HttpCheckRequest } from '../../src/monitor-types/http.ts';

const up: CheckResult = {
  vote: 'up',
  failure: null,
  responseTimeMs: 1,
  statusCode: 200,
  timings: NO_TIMINGS,
  remoteAddress: '127.0.0.1',
  evidence: null,
};

let runs = 0;

/** The probe reports in `remoteAddress`. */
const behaviours: Record<string, () => Promise<CheckResult>> = {
  up: async () => up,
  /** Reports its environment variables. */
  environment: async () => ({ ...up, remoteAddress: JSON.stringify(process.env) }),
  pid: async () => ({ ...up, remoteAddress: String(process.pid) }),
  throw: async () => {
    throw new Error('thrown on purpose');
  },
  uncaught: async () => {
    setImmediate(() => {
      throw new Error('thrown past the probe on purpose');
    });
    return up;
  },
  never: () => new Promise(() => {}),
  /** Only the first check of the process ends. */
  once: async () => (runs++ === 0 ? up : new Promise(() => {})),
  exit: () => process.exit(3),
  block: () => {
    for (;;);
  },
};

const misbehave: Probe<HttpCheckRequest> = (request) =>
  behaviours[request.url.replace('do:', '')]!();

serveParent({
  settings: JSON.parse(process.argv[2]!) as ProbeSettings,
  limits: null,
  createRegistry: () => ({
    http: misbehave,
    ping: () => new Promise(() => {}),
    port: () => new Promise(() => {}),
  }),
  createInspectors: () => ({
    ...noInspectors,
    domain: () => new Promise(() => {}),
  }),
});
