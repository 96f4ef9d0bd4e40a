import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { isIPv6, Socket } from 'node:net';
import {
  decode,
  encode,
  RECURSION_DESIRED,
  type Answer,
  type DecodedPacket,
  type OptAnswer,
  type Packet,
} from 'dns-packet';
import { afterPendingEvents, type Clock, type Timer } from '../../lib/clock.ts';
import type { DnsRecordType } from '../../model/inspection.ts';
import type { SystemError } from '../failures.ts';
import { normalizeName, readRecord, type ResourceRecord } from './records.ts';

export interface DnsServer {
  /** Address literal, IPv6 without brackets. */
  address: string;
  port: number;
}

export interface DnsQuestion {
  /** A queryable name, see `isQueryable`. */
  name: string;
  type: DnsRecordType;
}

export interface AskOptions {
  /** Whether the server is asked to resolve the name, as resolvers do. */
  recursive: boolean;
  timeoutMs: number;
  signal: AbortSignal;
}

export type DnsReply =
  | DnsAnswer
  /** Nothing arrived within the time limit, or before the signal was aborted. */
  | { state: 'timeout' }
  /** The reply doesn't match the query, or is not DNS. */
  | { state: 'unreadable' }
  /** The server can't be reached; the reason is the system's error code, such as `ECONNREFUSED`. */
  | { state: 'unreachable'; reason: string };

export interface DnsAnswer {
  state: 'answer';
  /** Response code such as `NOERROR`, `NXDOMAIN`, `SERVFAIL`. */
  rcode: string;
  isAuthoritative: boolean;
  answers: ResourceRecord[];
  authorities: ResourceRecord[];
  additionals: ResourceRecord[];
}

export type DnsClient = ReturnType<typeof createDnsClient>;

/** Size that avoids fragmentation on every path (RFC 9715, section 3). */
const UDP_BYTES = 1_232;
const REPEAT_MS = 1_500;
/** No name has as many; decoding more of them, each with a long chain of pointers, would block this process. */
const MAX_RECORDS = 500;
const HEADER_BYTES = 12;
/** Maximum number of malformed replies to read per query: a server may send any number. */
const MAX_UNREADABLE = 5;

interface Query {
  id: number;
  question: DnsQuestion;
  bytes: Buffer;
}

type Received = (DnsAnswer & { isTruncated: boolean }) | Exclude<DnsReply, DnsAnswer>;

interface Exchange {
  server: DnsServer;
  query: Query;
  clock: Clock;
  timeoutMs: number;
  signal: AbortSignal;
}

export function createDnsClient({ clock }: { clock: Clock }) {
  return {
    /**
     * Sends one query to one server: UDP with EDNS(0), repeated once; TCP if the answer is truncated; without EDNS for a
     * server that doesn't support it (RFC 6891, section 7). Never rejects, and leaves no socket open.
     */
    async ask(
      server: DnsServer,
      question: DnsQuestion,
      { recursive, timeoutMs, signal }: AskOptions,
    ): Promise<DnsReply> {
      const endsAt = clock.monotonic() + timeoutMs;
      const send = async (withEdns: boolean): Promise<DnsReply> => {
        const query = writeQuery(question, recursive, withEdns);
        const exchange = { server, query, clock, signal };
        const received = await overUdp({ ...exchange, timeoutMs: endsAt - clock.monotonic() });
        if (received.state !== 'answer' || !received.isTruncated) return received;
        return overTcp({ ...exchange, timeoutMs: endsAt - clock.monotonic() });
      };
      const reply = await send(true);
      return reply.state === 'answer' && KNOWS_NO_EDNS.has(reply.rcode) ? send(false) : reply;
    },
  };
}

const KNOWS_NO_EDNS = new Set(['FORMERR', 'NOTIMP']);

function overUdp(exchange: Exchange): Promise<Received> {
  const { server, query, clock, timeoutMs } = exchange;
  return settleOnce(exchange, (settle) => {
    const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4');
    let repeat: Timer | null = null;
    let isUnreadable = false;
    let readInVain = 0;
    let isClosed = false;
    const fail = (error: SystemError): void => settle(unreachable(error));
    const send = (): void => socket.send(query.bytes, (error) => error && fail(error));
    socket.on('error', fail);
    socket.on('connect', () => {
      if (isClosed) return;
      send();
      repeat = clock.after(Math.min(REPEAT_MS, timeoutMs / 2), send);
    });
    socket.on('message', (message) => {
      const answer = readAnswer(message, query);
      if (answer !== null) return settle(answer);
      isUnreadable = true;
      // Ignore replies with another id: anybody may have sent them.
      if (isAddressed(message, query)) readInVain++;
      if (readInVain === MAX_UNREADABLE) settle({ state: 'unreadable' });
    });
    return {
      // A connected socket only receives from this server and port, and reports if nothing listens there.
      begin: () => socket.connect(server.port, server.address),
      atDeadline: () => ({ state: isUnreadable ? 'unreadable' : 'timeout' }),
      close() {
        isClosed = true;
        clock.clear(repeat);
        socket.close();
      },
    };
  });
}

/** Sends the query over TCP, prefixed by its length in two bytes (RFC 7766). */
function overTcp(exchange: Exchange): Promise<Received> {
  const { server, query } = exchange;
  return settleOnce(exchange, (settle) => {
    const socket = new Socket();
    const chunks: Buffer[] = [];
    let wanted = 2;
    let length = 0;
    socket.on('error', (error) => settle(unreachable(error)));
    socket.on('close', () => settle({ state: 'unreachable', reason: 'ECONNRESET' }));
    socket.on('connect', () => {
      const size = Buffer.alloc(2);
      size.writeUInt16BE(query.bytes.length);
      socket.write(Buffer.concat([size, query.bytes]));
    });
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length < wanted) return;
      const received = Buffer.concat(chunks);
      wanted = 2 + received.readUInt16BE(0);
      if (length < wanted) return;
      settle(readAnswer(received.subarray(2, wanted), query) ?? { state: 'unreadable' });
    });
    return {
      begin: () =>
        void socket.connect({ host: server.address, port: server.port, autoSelectFamily: false }),
      atDeadline: () => ({ state: 'timeout' }),
      close: () => void socket.destroy(),
    };
  });
}

interface Attempt {
  /** May throw. */
  begin(): void;
  atDeadline(): Received;
  close(): void;
}

/** Runs an attempt until it settles, the time limit passes or the signal is aborted, and closes it. */
function settleOnce(
  { clock, timeoutMs, signal }: Exchange,
  prepare: (settle: (received: Received) => void) => Attempt,
): Promise<Received> {
  return new Promise((resolve) => {
    if (signal.aborted || timeoutMs <= 0) return resolve({ state: 'timeout' });
    let isSettled = false;
    const settle = (received: Received): void => {
      if (isSettled) return;
      isSettled = true;
      clock.clear(deadline);
      signal.removeEventListener('abort', giveUp);
      attempt.close();
      resolve(received);
    };
    const attempt = prepare(settle);
    const giveUp = (): void => settle(attempt.atDeadline());
    const deadline = clock.after(timeoutMs, () => afterPendingEvents(clock, giveUp));
    signal.addEventListener('abort', giveUp);
    try {
      attempt.begin();
    } catch (error) {
      settle(unreachable(error as SystemError));
    }
  });
}

function writeQuery(question: DnsQuestion, recursive: boolean, withEdns: boolean): Query {
  const id = randomInt(0x1_0000);
  const edns: OptAnswer = {
    type: 'OPT',
    name: '.',
    udpPayloadSize: UDP_BYTES,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  };
  const packet: Packet = {
    type: 'query',
    id,
    flags: recursive ? RECURSION_DESIRED : 0,
    questions: [{ name: question.name, type: question.type, class: 'IN' }],
    additionals: withEdns ? [edns] : [],
  };
  return { id, question, bytes: encode(packet) };
}

/** Null if the message is not an answer to this query. */
function readAnswer(message: Buffer, query: Query): (DnsAnswer & { isTruncated: boolean }) | null {
  if (!isAddressed(message, query) || !isSensible(message)) return null;
  let packet: DecodedPacket & { rcode?: string };
  try {
    packet = decode(message);
  } catch {
    return null;
  }
  if (!packet.flag_qr) return null;
  const rcode = fullCode(packet);
  if (!repeatsQuestion(packet, query.question, rcode)) return null;
  return {
    state: 'answer',
    rcode,
    isAuthoritative: packet.flag_aa,
    isTruncated: packet.flag_tc,
    answers: readRecords(packet.answers),
    authorities: readRecords(packet.authorities),
    additionals: readRecords(packet.additionals),
  };
}

function isAddressed(message: Buffer, { id }: Query): boolean {
  return message.length >= HEADER_BYTES && message.readUInt16BE(0) === id;
}

/** Checks the counts in the header: the query has one question. */
function isSensible(message: Buffer): boolean {
  const [questions = 0, ...records] = [4, 6, 8, 10].map((at) => message.readUInt16BE(at));
  return questions <= 1 && records.reduce((sum, count) => sum + count, 0) <= MAX_RECORDS;
}

/** Whether the reply repeats the question; a server that could not parse it may leave it out. */
function repeatsQuestion(packet: Packet, asked: DnsQuestion, rcode: string): boolean {
  const [question, ...more] = packet.questions ?? [];
  if (question === undefined) return rcode === 'FORMERR';
  return (
    more.length === 0 &&
    question.type === asked.type &&
    normalizeName(question.name) === normalizeName(asked.name)
  );
}

/** Response code including its upper bits from EDNS (RFC 6891, section 6.1.3): 16 and above are never success. */
function fullCode(packet: DecodedPacket & { rcode?: string }): string {
  const edns = packet.additionals?.find((record) => record.type === 'OPT');
  const upper = edns?.extendedRcode ?? 0;
  return upper === 0 ? (packet.rcode ?? 'NOERROR') : `extended code ${upper}`;
}

function readRecords(records: Answer[] = []): ResourceRecord[] {
  return records.map(readRecord).filter((record) => record !== null);
}

function unreachable(error: SystemError): { state: 'unreachable'; reason: string } {
  return { state: 'unreachable', reason: error.code ?? 'unknown error' };
}
