import type { Socket } from 'node:net';
import type { InspectionResult } from '../../model/inspection.ts';
import { findTarget } from '../../net/resolver.ts';
import { connect } from '../connect.ts';
import { createStop, isShutdown, type ProbeContext, type Stop } from '../contract.ts';
import { seconds } from '../failures.ts';
import { ServerBusy, type ServerQueue } from './server-queue.ts';
import { readWhoisAnswer } from './whois-response.ts';
import type { WhoisRegistry } from './whois-servers.ts';

type Unknown = Extract<InspectionResult<'domain'>, { state: 'unknown' }>;

type WhoisText = { ok: true; text: string } | { ok: false; reason: string; retryAfterMs?: number };

interface WhoisQuestion {
  server: string;
  port: number;
  /** One line, without its line end. */
  query: string;
  timeoutMs: number;
}

interface WhoisContext extends ProbeContext {
  queue: ServerQueue;
}

const MAX_BYTES = 64 * 1024;
const LIMIT_RETRY_MS = 60 * 60_000;
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/;

/** Queries a registry for a domain (ASCII) by WHOIS (RFC 3912). Never rejects; ends with the context's signal. */
export async function askWhois(
  registry: WhoisRegistry,
  request: { domain: string; port: number; timeoutMs: number },
  context: WhoisContext,
): Promise<InspectionResult<'domain'>> {
  const { server, isDayFirst = false } = registry;
  const { domain, port, timeoutMs } = request;
  const query = registry.query?.(domain) ?? domain;
  const answer = await ask({ server, port, query, timeoutMs }, context);
  if (!answer.ok) return unknown(server, answer.reason, answer.retryAfterMs);
  const read = readWhoisAnswer(answer.text, domain, isDayFirst);
  if (read.state === 'unknown') {
    return unknown(server, read.reason, read.isLimit ? LIMIT_RETRY_MS : undefined);
  }
  const { expiresAt, registrar, statuses } = read;
  return { state: 'known', facts: { expiresAt, registrar, statuses, source: 'whois', server } };
}

/** Finds the WHOIS server that IANA names for a top-level domain. */
export async function askForServer(
  question: WhoisQuestion,
  context: WhoisContext,
): Promise<{ server: string | null } | Unknown> {
  const answer = await ask(question, context);
  if (!answer.ok) return unknown(question.server, answer.reason, answer.retryAfterMs);
  const named =
    /^(?:refer|whois):[ \t]*(\S+)[ \t\r]*$/im.exec(answer.text)?.[1]?.toLowerCase() ?? '';
  return { server: HOST_NAME.test(named) ? named : null };
}

async function ask(question: WhoisQuestion, context: WhoisContext): Promise<WhoisText> {
  const deadline = context.clock.monotonic() + question.timeoutMs;
  const answer = await context.queue.run(question.server, context.signal, () =>
    converse(question, deadline, context),
  );
  if (!(answer instanceof ServerBusy)) return answer;
  const { retryAfterMs } = answer;
  return { ok: false, reason: 'has too many queries waiting', retryAfterMs };
}

async function converse(
  { server, port, query, timeoutMs }: WhoisQuestion,
  deadline: number,
  context: WhoisContext,
): Promise<WhoisText> {
  const target = await findTarget(server, context);
  if (!target.ok) return { ok: false, reason: `did not answer: ${target.failure.text}` };
  const stop = createStop(context.signal);
  try {
    const { addresses } = target;
    const connection = await connect(
      { addresses, port, timeoutMs, deadline },
      { ...context, stop },
    );
    if (!connection.ok) return { ok: false, reason: `did not answer: ${connection.failure.text}` };
    return await readAll(connection.socket, query, timeoutMs, stop);
  } finally {
    stop.release();
  }
}

/** Reads until the server closes the connection or the limit is reached. Closes the socket. */
function readAll(socket: Socket, query: string, timeoutMs: number, stop: Stop): Promise<WhoisText> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (answer: WhoisText): void => {
      stop.onAbort(null);
      socket.destroy();
      resolve(answer);
    };
    const settleWithText = (): void => {
      const bytes = Buffer.concat(chunks).subarray(0, MAX_BYTES);
      settle(
        length === 0
          ? { ok: false, reason: 'closed the connection without an answer' }
          : { ok: true, text: decode(bytes) },
      );
    };
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_BYTES) settleWithText();
    });
    socket.on('end', settleWithText);
    socket.on('error', (error: NodeJS.ErrnoException) =>
      settle({ ok: false, reason: `broke the connection (${error.code ?? error.message})` }),
    );
    socket.on('close', settleWithText);
    stop.onAbort(() =>
      settle({
        ok: false,
        reason: isShutdown(stop.signal)
          ? 'was not waited for because the probe stopped'
          : `did not answer in full within ${seconds(timeoutMs)}`,
      }),
    );
    if (socket.destroyed) settleWithText();
    else socket.write(`${query}\r\n`);
  });
}

/** Decodes text of unknown charset: as UTF-8 if valid, else as Windows-1252. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function unknown(server: string, what: string, retryAfterMs?: number): Unknown {
  const reason = `WHOIS server ${server} ${what}`;
  return { state: 'unknown', reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}
