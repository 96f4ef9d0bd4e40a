import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import {
  decode,
  encode,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
} from 'dns-packet';
import type { Answer, Packet, Question } from 'dns-packet';

/** Reply to one query: a message, raw bytes, or null for none. */
export type Answers = (question: Question, over: 'udp' | 'tcp') => Partial<Packet> | Buffer | null;

const CODES = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 } as const;

/** Addresses of the queried family; none is an empty reply. */
export function addresses(...list: string[]): Answers {
  return (question) => ({ answers: recordsFor(question, question.name, list) });
}

export function responseCode(code: keyof typeof CODES): Answers {
  return () => ({ flags: CODES[code] });
}

export const silent: Answers = () => null;
export const garbage: Answers = () => Buffer.from('no DNS at all');

/** Chain in which each name leads to the next one, and the last to the addresses. */
export function aliases(names: string[], list: string[], code?: keyof typeof CODES): Answers {
  return (question) => {
    const chain = [question.name, ...names];
    const answers = names.map((data, index): Answer => ({
      type: 'CNAME',
      name: chain[index] ?? '',
      ttl: 60,
      data,
    }));
    const last = recordsFor(question, chain.at(-1) ?? '', list);
    return { flags: code === undefined ? 0 : CODES[code], answers: [...answers, ...last] };
  };
}

/** Over UDP, a truncated reply. */
export function truncated(overTcp: Answers): Answers {
  return (question, over) =>
    over === 'udp' ? { flags: TRUNCATED_RESPONSE } : overTcp(question, over);
}

/** One answer per query type. */
export function byType(A: Answers, AAAA: Answers): Answers {
  return (question, over) => (question.type === 'AAAA' ? AAAA : A)(question, over);
}

function recordsFor({ type }: Question, name: string, list: string[]): Answer[] {
  if (type !== 'A' && type !== 'AAAA') return [];
  return list
    .filter((address) => address.includes(':') === (type === 'AAAA'))
    .map((data) => ({ type, name, ttl: 60, data }));
}

export interface NameServer {
  /** `address:port`, as the resolver expects it. */
  address: string;
  close(): Promise<void>;
}

/** A name server (RFC 1035) over UDP and TCP; names that are not in the table don't exist. */
export async function startNameServer(table: ReadonlyMap<string, Answers>): Promise<NameServer> {
  const reply = (query: Buffer, over: 'udp' | 'tcp'): Buffer | null => {
    const { id, questions = [] } = decode(query);
    const question = questions[0];
    if (question === undefined) return null;
    const name = question.name.toLowerCase();
    const said = (table.get(name) ?? responseCode('NXDOMAIN'))({ ...question, name }, over);
    if (said === null || Buffer.isBuffer(said)) return said;
    const flags = RECURSION_DESIRED | RECURSION_AVAILABLE | (said.flags ?? 0);
    return encode({ id: id ?? 0, questions, ...said, type: 'response', flags });
  };

  const open = new Set<Socket>();
  const tcp = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    // A query arrives in one chunk: it is small, and nothing follows it.
    socket.on('data', (data) => {
      const said = reply(data.subarray(2), 'tcp');
      if (said === null) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(said.length);
      socket.write(Buffer.concat([length, said]));
    });
  });
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;

  const udp = createSocket('udp4');
  udp.on('message', (query, client) => {
    const said = reply(query, 'udp');
    if (said !== null) udp.send(said, client.port, client.address);
  });
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  return {
    address: `127.0.0.1:${port}`,
    async close() {
      for (const socket of open) socket.destroy();
      await Promise.all([
        new Promise<void>((resolve) => void tcp.close(() => resolve())),
        new Promise<void>((resolve) => void udp.close(() => resolve())),
      ]);
    },
  };
}
