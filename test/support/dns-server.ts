import { createSocket } from 'node:dgram';
import type { Socket as DatagramSocket } from 'node:dgram';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { AUTHORITATIVE_ANSWER, decode, encode, TRUNCATED_RESPONSE } from 'dns-packet';
import type { Answer, Packet } from 'dns-packet';

const RCODES = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 };

/** A name server's reply to one query; omitted parts are those of an empty, ordinary reply. */
export interface DnsSaid {
  rcode?: keyof typeof RCODES;
  isAuthoritative?: boolean;
  isTruncated?: boolean;
  answers?: Answer[];
  authorities?: Answer[];
  additionals?: Answer[];
  /** Added to the id of the query. */
  idOffset?: number;
  /** Question in the reply, instead of the one that was asked. */
  questions?: Packet['questions'];
  /** Raw bytes instead of a reply. */
  raw?: Buffer;
}

export interface DnsAsked {
  name: string;
  type: string;
  over: 'udp' | 'tcp';
  hasEdns: boolean;
  /** Whether the query asks for recursion. */
  isRecursive: boolean;
  /** How often this question was asked before. */
  times: number;
  packet: Packet;
}

/** One reply, several, or none; `cut` ends a TCP connection after one byte. */
export type DnsHandler = (asked: DnsAsked) => DnsSaid | DnsSaid[] | 'silent' | 'cut';

export interface NameServer {
  address: string;
  port: number;
  /** Queries as `name type`, in order of arrival over either protocol. */
  questions: string[];
  /** From now on TCP connections are refused. */
  closeTcp(): Promise<void>;
  close(): Promise<void>;
}

/** A name server over UDP and TCP on one port. */
export async function startNameServer(handler: DnsHandler): Promise<NameServer> {
  const address = '127.0.0.1';
  const { servers } = await startNameServers({ [address]: handler });
  return servers[address];
}

type Reply = (message: Buffer, over: 'udp' | 'tcp') => Buffer[] | 'cut';

async function start(handler: DnsHandler, address: string, port: number): Promise<NameServer> {
  const questions: string[] = [];
  const reply: Reply = (message, over) => {
    const packet = decode(message);
    const { name, type } = packet.questions![0]!;
    const question = `${name} ${type}`;
    const times = questions.filter((earlier) => earlier === question).length;
    questions.push(question);
    const hasEdns = packet.additionals?.some((each) => each.type === 'OPT') ?? false;
    const isRecursive = packet.flag_rd;
    const said = handler({ name, type, over, hasEdns, isRecursive, times, packet });
    if (said === 'cut') return 'cut';
    return said === 'silent' ? [] : [said].flat().map((each) => write(packet, each));
  };
  const udp = await openUdp(reply, address, port);
  const bound = udp.address().port;
  const tcp = await openTcp(reply, address, bound).catch(async (error: unknown) => {
    await closeUdp(udp);
    throw error;
  });
  return {
    address,
    port: bound,
    questions,
    closeTcp: tcp.close,
    async close() {
      await Promise.all([closeUdp(udp), tcp.close()]);
    },
  };
}

/**
 * A name server on each loopback address (`127.0.0.1`, `127.0.0.2`, …), all on one port that is free on all of them, as
 * name servers on the internet share port 53.
 */
export async function startNameServers<Address extends string>(
  handlers: Record<Address, DnsHandler>,
): Promise<{ port: number; servers: Record<Address, NameServer>; close(): Promise<void> }> {
  for (let attempt = 0; ; attempt++) {
    const started: NameServer[] = [];
    const close = async (): Promise<void> => {
      await Promise.all(started.splice(0).map((server) => server.close()));
    };
    try {
      for (const [address, handler] of Object.entries<DnsHandler>(handlers)) {
        const port = started[0]?.port ?? 0;
        started.push(await start(handler, address, port));
      }
      const servers = Object.fromEntries(started.map((server) => [server.address, server]));
      const { port } = started[0]!;
      return { port, servers: servers as Record<Address, NameServer>, close };
    } catch (error) {
      await close();
      if (attempt === 9) throw error;
    }
  }
}

function openUdp(reply: Reply, address: string, port: number): Promise<DatagramSocket> {
  const socket = createSocket('udp4');
  socket.on('message', (message, client) => {
    const messages = reply(message, 'udp');
    if (messages === 'cut') throw new Error('only a TCP connection can be cut');
    for (const each of messages) socket.send(each, client.port, client.address);
  });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, address, () => resolve(socket));
  });
}

function closeUdp(socket: DatagramSocket): Promise<void> {
  return new Promise((resolve) => void socket.close(() => resolve()));
}

function openTcp(reply: Reply, address: string, port: number): Promise<{ close(): Promise<void> }> {
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    socket.once('data', (query) => {
      const messages = reply(query.subarray(2), 'tcp');
      if (messages === 'cut') return void socket.end('x');
      for (const each of messages) {
        const length = Buffer.alloc(2);
        length.writeUInt16BE(each.length);
        // In pieces, since TCP may split a message.
        socket.write(length.subarray(0, 1));
        socket.write(length.subarray(1));
        socket.write(each);
      }
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () =>
      resolve({
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            for (const socket of open) socket.destroy();
          }),
      }),
    );
  });
}

function write(query: Packet, said: DnsSaid): Buffer {
  if (said.raw !== undefined) return said.raw;
  const flags =
    RCODES[said.rcode ?? 'NOERROR'] |
    (said.isAuthoritative === true ? AUTHORITATIVE_ANSWER : 0) |
    (said.isTruncated === true ? TRUNCATED_RESPONSE : 0);
  return encode({
    type: 'response',
    id: ((query.id ?? 0) + (said.idOffset ?? 0)) & 0xffff,
    flags,
    questions: said.questions ?? query.questions ?? [],
    answers: said.answers ?? [],
    authorities: said.authorities ?? [],
    additionals: said.additionals ?? [],
  });
}

/** Values of records by `name type`: `10 mail.example.com`, `ns1.example.com hostmaster.example.com`. */
export type DnsTable = Record<string, string[]>;

/**
 * Replies of a correct server with these records: an empty reply for other types of a known name, NXDOMAIN for unknown
 * names. Aliases are returned, and followed by a recursive server.
 */
export function fromTable(table: DnsTable, isAuthoritative: boolean): DnsHandler {
  const valuesOf = (name: string, type: string): Answer[] =>
    (table[`${name} ${type}`] ?? []).map((value) => record(name, type, value));
  const isKnown = (name: string): boolean =>
    Object.keys(table).some((key) => key.startsWith(`${name} `) || key.includes(`.${name} `));

  return ({ name: asked, type, isRecursive }) => {
    let name = asked.toLowerCase();
    const answers: Answer[] = [];
    for (let step = 0; step < 5; step++) {
      const [alias] = type === 'CNAME' ? [] : valuesOf(name, 'CNAME');
      if (alias === undefined) break;
      answers.push(alias);
      if (!isRecursive) return { isAuthoritative, answers };
      name = alias.type === 'CNAME' ? alias.data : name;
    }
    answers.push(...valuesOf(name, type));
    const rcode = isKnown(name) || name === '.' ? 'NOERROR' : 'NXDOMAIN';
    return { isAuthoritative, rcode, answers };
  };
}

/** A resource record for a reply. */
export function record(name: string, type: string, value: string): Answer {
  const [first = '', second = ''] = value.split(' ');
  const base = { name, ttl: 60, class: 'IN' as const };
  switch (type) {
    case 'MX':
      return { ...base, type, data: { preference: Number(first), exchange: second } };
    case 'SOA':
      return { ...base, type, data: { mname: first, rname: second, serial: 1 } };
    case 'TXT':
      return { ...base, type, data: value.match(/[^]{1,200}/g) ?? [''] };
    default:
      return { ...base, type: type as 'A', data: value };
  }
}

/** A DNS server's reply to one query for addresses. `silent` sends none. */
export type DnsAnswer =
  | { addresses: string[] }
  | 'empty'
  | 'not-found'
  | 'server-failure'
  | 'refused'
  | 'garbage'
  | 'silent';

export interface DnsServer {
  /** `address:port`, as the resolver expects it. */
  address: string;
  questions: string[];
  close(): Promise<void>;
}

const REPLIES: Record<Exclude<DnsAnswer, object | 'silent'>, DnsSaid> = {
  empty: {},
  'not-found': { rcode: 'NXDOMAIN' },
  'server-failure': { rcode: 'SERVFAIL' },
  refused: { rcode: 'REFUSED' },
  garbage: { raw: Buffer.from('no DNS at all') },
};

/** A DNS server that answers A and AAAA queries. */
export async function startDnsServer(
  answer: (name: string, type: 'A' | 'AAAA') => DnsAnswer,
): Promise<DnsServer> {
  const server = await startNameServer(({ name, type }) => {
    const said = answer(name.toLowerCase(), type === 'AAAA' ? type : 'A');
    if (said === 'silent') return said;
    if (typeof said === 'string') return REPLIES[said];
    return { answers: said.addresses.map((address) => record(name, type, address)) };
  });
  return { ...server, address: `${server.address}:${server.port}` };
}
