import { once } from 'node:events';
import { createServer } from 'node:http';
import { inChild, serveParent } from './child.ts';

/**
 * A webhook receiver in a separate process, so that its CPU is not counted. It responds with 204 after `afterMs` and
 * records when the event of each incident first arrived, and the number of connections.
 */
export interface WebhookReceiver {
  url: string;
  /** Number of incidents whose event has arrived. */
  count(): Promise<number>;
  /** Epoch milliseconds by incident id. */
  arrivals(): Promise<Map<number, number>>;
  connections(): Promise<number>;
  stop(): void;
}

type Question = 'count' | 'arrivals' | 'connections';

if (process.argv[2] === 'receive') {
  const afterMs = Number(process.argv[3]);
  const arrivals = new Map<number, number>();
  let connections = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const at = Date.now();
      const { incident } = JSON.parse(Buffer.concat(chunks).toString()) as {
        incident: { id: number } | null;
      };
      if (incident && !arrivals.has(incident.id)) arrivals.set(incident.id, at);
      if (afterMs === 0) response.writeHead(204).end();
      else setTimeout(() => response.writeHead(204).end(), afterMs);
    });
  });
  server.on('connection', () => (connections += 1));
  const answers = {
    count: () => arrivals.size,
    arrivals: () => [...arrivals],
    connections: () => connections,
  };
  process.on('message', (question: Question) => process.send!(answers[question]()));
  serveParent(server);
}

export async function startWebhookReceiver(afterMs: number): Promise<WebhookReceiver> {
  const { child, first } = inChild<number>(import.meta.url, ['receive', String(afterMs)]);
  const ask = async <Answer>(question: Question) => {
    child.send(question);
    return ((await once(child, 'message')) as [Answer])[0];
  };
  return {
    url: `http://127.0.0.1:${await first}/hook`,
    count: () => ask('count'),
    arrivals: async () => new Map(await ask<[number, number][]>('arrivals')),
    connections: () => ask('connections'),
    stop: () => void child.kill(),
  };
}
