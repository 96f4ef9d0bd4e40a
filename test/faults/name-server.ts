import { encode, RECURSION_AVAILABLE, RECURSION_DESIRED, TRUNCATED_RESPONSE } from 'dns-packet';
import type { Answer, Packet, Question } from 'dns-packet';
import { startNameServer as startServer } from '../support/dns-server.ts';
import type { DnsServer } from '../support/dns-server.ts';

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

/** A name server (RFC 1035) over UDP and TCP; names that are not in the table don't exist. */
export async function startNameServer(table: ReadonlyMap<string, Answers>): Promise<DnsServer> {
  const server = await startServer(({ packet, over }) => {
    const { id = 0, questions = [] } = packet;
    const question = questions[0]!;
    const name = question.name.toLowerCase();
    const said = (table.get(name) ?? responseCode('NXDOMAIN'))({ ...question, name }, over);
    if (said === null) return 'silent';
    if (Buffer.isBuffer(said)) return { raw: said };
    const flags = RECURSION_DESIRED | RECURSION_AVAILABLE | (said.flags ?? 0);
    return { raw: encode({ id, questions, ...said, type: 'response', flags }) };
  });
  return { ...server, address: `${server.address}:${server.port}` };
}
