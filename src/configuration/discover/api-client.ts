import http from 'node:http';
import https from 'node:https';
import { DiscoveryError } from './discovered.ts';

/** An API that the operator configured. It is asked as it is: without a guard of addresses, and without redirects. */
export interface ApiEndpoint {
  /** Such as `Docker at /var/run/docker.sock`, for people. */
  name: string;
  /** Where and how to connect; read again for each request, as files of certificates and tokens are renewed. */
  connection(): Promise<Connection>;
}

export interface Connection {
  isTls: boolean;
  options: https.RequestOptions;
  /** Path before all others, such as `/k8s/clusters/c-abc12`. */
  prefix?: string;
  headers?: Readonly<Record<string, string>>;
}

export interface ApiAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: AsyncIterable<Buffer> & { destroy(): unknown };
}

const MIB = 1024 * 1024;
/** A container takes about 2 kB of an answer, and an object of Kubernetes at most 1.5 MB. */
const MAX_ANSWER_BYTES = 32 * MIB;
const MAX_LINE_BYTES = 4 * MIB;
const MAX_MESSAGE_LENGTH = 300;

/** Sends a request, and resolves with the beginning of its answer. @throws DiscoveryError, also when it is aborted. */
export async function ask(endpoint: ApiEndpoint, path: string, signal: AbortSignal) {
  try {
    const { isTls, options, prefix = '', headers } = await endpoint.connection();
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    const request = (isTls ? https : http).request({
      ...options,
      path: `${prefix}${path}`,
      signal,
      agent: false,
      headers: { accept: 'application/json', 'user-agent': 'tocsin', ...headers },
    });
    request.on('response', resolve).on('error', reject).end();
    const answer = await promise;
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: answer };
  } catch (error) {
    throw unreachable(endpoint, error);
  }
}

function unreachable({ name }: ApiEndpoint, error: unknown): DiscoveryError {
  if (error instanceof DiscoveryError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const advice: Record<string, string> = {
    ENOENT: 'the file is not there',
    EACCES: 'this user may not open it',
    ECONNREFUSED: 'nothing listens there',
  };
  const reason = advice[code ?? ''];
  return new DiscoveryError(
    `${name} can't be reached: ${reason === undefined ? message : `${reason} (${code})`}.`,
    { cause: error },
  );
}

/** Reads an answer of JSON. @throws DiscoveryError when it is an error, too large, or no JSON. */
export async function askJson(endpoint: ApiEndpoint, path: string, signal: AbortSignal) {
  const answer = await ask(endpoint, path, signal);
  const text = await readText(endpoint, answer, MAX_ANSWER_BYTES);
  if (answer.status !== 200) throw refusal(endpoint, path, answer.status, text);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new DiscoveryError(`${endpoint.name} answered ${path} with something other than JSON.`);
  }
}

/** An answer that is no success. */
export class ApiRefusal extends DiscoveryError {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

const ADVICE: Readonly<Record<number, string>> = {
  401: ': check the token or certificate',
  403: ': a permission is missing, see docs/discovery.md',
};

function refusal({ name }: ApiEndpoint, path: string, status: number, text: string): ApiRefusal {
  let said = '';
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === 'string') said = ` (${message.slice(0, MAX_MESSAGE_LENGTH)})`;
  } catch {
    // Proxies answer pages.
  }
  const [resource] = path.split('?');
  const advice =
    status >= 300 && status < 400
      ? ': redirects are not followed, give the address itself'
      : (ADVICE[status] ?? '');
  return new ApiRefusal(`${name} answered ${resource} with ${status}${said}${advice}.`, status);
}

async function readText(endpoint: ApiEndpoint, { body }: ApiAnswer, maximum: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > maximum)
        throw new DiscoveryError(`${endpoint.name} answered more than ${maximum / MIB} MiB.`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw unreachable(endpoint, error);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Opens an answer that goes on: objects of JSON, one a line.
 *
 * @returns the objects; they end with the answer, and half a line at its end is none.
 * @throws DiscoveryError also while they are read: for a cut connection, a line that is too long, and what is no object.
 */
export async function openJsonLines(endpoint: ApiEndpoint, path: string, signal: AbortSignal) {
  const answer = await ask(endpoint, path, signal);
  if (answer.status === 200) return objectsOf(endpoint, answer);
  throw refusal(endpoint, path, answer.status, await readText(endpoint, answer, MAX_LINE_BYTES));
}

async function* objectsOf(endpoint: ApiEndpoint, { body }: ApiAnswer) {
  let rest: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      let from = 0;
      for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
        const line = Buffer.concat([...rest, chunk.subarray(from, end)])
          .toString('utf8')
          .trim();
        [rest, size, from] = [[], 0, end + 1];
        if (line !== '') yield objectOf(endpoint, line);
      }
      rest.push(chunk.subarray(from));
      size += chunk.length - from;
      if (size > MAX_LINE_BYTES)
        throw new DiscoveryError(
          `${endpoint.name} sent a line of more than ${MAX_LINE_BYTES / MIB} MiB.`,
        );
    }
  } catch (error) {
    throw unreachable(endpoint, error);
  } finally {
    body.destroy();
  }
}

function objectOf(endpoint: ApiEndpoint, line: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(line) as unknown;
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Refused below.
  }
  throw new DiscoveryError(`${endpoint.name} sent an event that is no JSON.`);
}
