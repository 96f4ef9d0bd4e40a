import { isIP } from 'node:net';
import type { DnsAnswer, DnsClient, DnsQuestion, DnsReply, DnsServer } from './client.ts';

/** Recursive name servers of this machine. */
export type Recursive = ReturnType<typeof createRecursive>;

interface RecursiveDeps {
  client: DnsClient;
  servers: readonly DnsServer[];
  /** Time limit of one query, divided between the servers. */
  timeoutMs: number;
  signal: AbortSignal;
}

const MAX_SERVERS = 3;
const DNS_PORT = 53;

export function createRecursive(deps: RecursiveDeps) {
  const { client, timeoutMs, signal } = deps;
  const servers = deps.servers.slice(0, MAX_SERVERS);
  let preferred = 0;
  let isSound = false;

  return {
    /** Queries one server after the other until one has an answer; else returns the most informative reply. */
    async ask(question: DnsQuestion): Promise<DnsReply> {
      let said: DnsReply = { state: 'unreachable', reason: 'no name server is configured' };
      const first = preferred;
      const share = timeoutMs / servers.length;
      for (let attempt = 0; attempt < servers.length && !signal.aborted; attempt++) {
        const index = (first + attempt) % servers.length;
        const options = { recursive: true, timeoutMs: share, signal };
        const reply = await client.ask(servers[index]!, question, options);
        if (isConclusive(reply)) {
          preferred = index;
          isSound = true;
          return reply;
        }
        if (
          attempt === 0 ||
          BY_INFORMATION.indexOf(reply.state) > BY_INFORMATION.indexOf(said.state)
        )
          said = reply;
      }
      return signal.aborted && said.state === 'unreachable' ? { state: 'timeout' } : said;
    },
    /** Whether a server has answered anything so far; if not, failures are the probe's own. */
    isWorking: () => isSound,
  };
}

/** From the least to the most informative. */
const BY_INFORMATION: DnsReply['state'][] = ['unreachable', 'timeout', 'unreadable', 'answer'];

/** An answer that says which records exist, even if none do. */
export type Conclusive = DnsAnswer & { rcode: 'NOERROR' | 'NXDOMAIN' };

export function isConclusive(reply: DnsReply): reply is Conclusive {
  return reply.state === 'answer' && (reply.rcode === 'NOERROR' || reply.rcode === 'NXDOMAIN');
}

/** Describes a reply without an answer, such as `SERVFAIL from ns1.example.com`; null for a timeout. */
export function replyProblem(reply: DnsReply, from: string): string | null {
  switch (reply.state) {
    case 'timeout':
      return null;
    case 'unreadable':
      return `unreadable answer from ${from}`;
    case 'unreachable':
      return `${from} can't be reached (${reply.reason})`;
    case 'answer':
      return isConclusive(reply) ? `${from} is not authoritative` : `${reply.rcode} from ${from}`;
  }
}

/** Parses an entry of `dns.getServers()`: `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353`. */
export function parseServer(text: string): DnsServer {
  if (isIP(text) !== 0) return { address: text, port: DNS_PORT };
  const [, address = '', port = ''] = /^\[?([^\]]*?)\]?:(\d+)$/.exec(text) ?? [];
  return { address, port: Number(port) };
}
