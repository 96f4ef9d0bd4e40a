import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addRecord } from './judge/records.ts';

/** A webhook endpoint that records each delivery with its id, and takes all of them. */
export interface Receiver {
  url: string;
  close(): Promise<void>;
}

interface Body {
  event: string;
  monitor: { id: number };
  incident: { id: number } | null;
}

export async function startReceiver(folder: string, host: string): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => {}).on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Body;
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
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/hook`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
