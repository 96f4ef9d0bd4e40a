import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addRecord } from './judge/records.ts';

/** A webhook endpoint that records each delivery with its id, and takes all of them. */
export interface Receiver {
  url: string;
  /** For OPERATOR_WEBHOOK_URL. */
  operatorUrl: string;
  close(): Promise<void>;
}

interface Body {
  event: string;
  monitor: { id: number };
  incident: { id: number } | null;
}

interface OperatorBody {
  type: string;
  problem: { kind: string; subject: string };
}

const OPERATOR_PATH = '/operator';

export async function startReceiver(folder: string, host: string): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => {}).on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      if (request.url === OPERATOR_PATH) {
        const { type, problem } = JSON.parse(text) as OperatorBody;
        const { kind, subject } = problem;
        addRecord(folder, 'problems', { at: Date.now(), type, kind, subject });
        return void response.end();
      }
      const body = JSON.parse(text) as Body;
      addRecord(folder, 'events', {
        at: Date.now(),
        id: String(request.headers['webhook-id']),
        event: body.event,
        monitor: body.monitor.id,
        incident: body.incident?.id ?? null,
      });
      response.end();
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/hook`,
    operatorUrl: `${origin}${OPERATOR_PATH}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
