import type { Vote } from '../../src/model/check.ts';
import type { AnyRequest } from '../../src/monitor-types/registry.ts';
import type { HttpCheckRequest } from '../../src/monitor-types/http.ts';
import type { FailureCode } from '../../src/model/failure.ts';
import { startServer, type FaultServer, type OnConnection } from '../support/fault-servers.ts';
import { httpCheck } from '../support/probing.ts';
import type { Answers } from './name-server.ts';

/** A kind of target and the expected result of its check. */
export interface Row {
  /** Unique description of what the target does. */
  name: string;
  /** Starts the target. Without it nothing listens on the row's port. */
  start?: Start;
  /** Replies of the name server for the row's names. */
  names?: Record<string, Answers>;
  /** `{port}` stands for the target's port. */
  request: AnyRequest;
  /** Allowed addresses, see `GUARDS`. */
  guard: keyof typeof GUARDS;
  expected: Expected;
}

export type Start = () => Promise<Pick<FaultServer, 'port' | 'allClosed' | 'close'>>;

/** Values of ALLOW_PRIVATE_TARGETS. */
export const GUARDS = {
  open: 'true',
  closed: 'false',
  'one address': '127.0.0.1/32',
  'multicast too': '127.0.0.0/8, 224.0.0.0/4',
} as const;

export const PHASES = ['nothing', 'dns', 'tcp', 'tls', 'ttfb', 'whole'] as const;

export interface Expected {
  vote: Vote;
  code: FailureCode | null;
  /** Exact, with `{port}` for the target's port, or a pattern. */
  text: string | RegExp | null;
  /** Last phase with a time: of the phases that the check has, all before it have one, and none after it. */
  until: (typeof PHASES)[number];
  /** Status code; not compared if undefined. */
  status?: number | null;
  /** Code of a certificate fault that is reported without failing the check. */
  certificateFault?: FailureCode;
  /** Failure of each address family; not compared if undefined. */
  families?: Record<'ipv4' | 'ipv6', FailureCode | null>;
}

export function up(status: number | null = 200): Expected {
  return { vote: 'up', code: null, text: null, until: 'whole', status };
}

export function down(
  code: FailureCode,
  text: string | RegExp,
  until: Expected['until'],
  status?: number | null,
): Expected {
  return { vote: 'down', code, text, until, ...(status === undefined ? {} : { status }) };
}

/** The response was received and is not as expected. */
export function downAfterAnswer(code: FailureCode, text: string | RegExp, status = 200): Expected {
  return down(code, text, 'whole', status);
}

/** The response is not HTTP; `problem` completes the sentence. */
export function invalid(problem: string | RegExp, status: number | null = null): Expected {
  const text = typeof problem === 'string' ? `The answer is not valid HTTP: ${problem}` : problem;
  return down('response_invalid', text, 'ttfb', status);
}

export type Overrides = Partial<HttpCheckRequest>;

/** For targets that never end: the deadline does. */
export const HANGS: Overrides = { timeoutMs: 2_000 };
/** For targets that only error text detection reads. */
export const STRICT: Overrides = { errorTextDetection: true };

export const HERE = 'http://127.0.0.1:{port}/';

/** Row of a plain HTTP target on 127.0.0.1. */
export function http(
  name: string,
  onConnection: OnConnection,
  expected: Expected,
  more: Overrides = {},
): Row {
  return {
    name,
    start: () => startServer(onConnection),
    request: httpCheck(HERE, more),
    guard: 'open',
    expected,
  };
}

/** The request with the target's port filled in. */
export function requestTo(request: AnyRequest, port: number): AnyRequest {
  if (request.type === 'http') {
    return { ...request, url: request.url.replaceAll('{port}', String(port)) };
  }
  if (request.type === 'port')
    return { ...request, port: request.port === TARGET ? port : request.port };
  return request;
}

/** Placeholder in a port check's request for the target's port. */
export const TARGET = -1;
