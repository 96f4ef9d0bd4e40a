import type { FastifyInstance, InjectOptions } from 'fastify';

/** Whether a request is answered with a stream of events, which does not end. */
export function isStreamed({ method, url }: InjectOptions): boolean {
  return method === 'GET' && /^\/api(\/v1)?\/events\/?(\?|$)/i.test(String(url));
}

/** What matters of an answer to an injected request. */
export interface InjectedAnswer {
  statusCode: number;
  headers: Record<string, unknown>;
  body: string;
}

/** Sends a request without a network. A stream of events is left after its first event. */
export async function injectOnce(
  app: FastifyInstance,
  options: InjectOptions,
): Promise<InjectedAnswer> {
  if (!isStreamed(options)) return app.inject(options);
  const response = await app.inject({ ...options, payloadAsStream: true });
  const stream = response.stream();
  let body = '';
  for await (const part of stream) {
    body += String(part);
    if (/^event: .*\ndata: .*\nid: .*\n\n/m.test(body)) break;
  }
  stream.destroy();
  response.raw.res.destroy();
  return { statusCode: response.statusCode, headers: response.headers, body };
}

/** An event as it was received. */
export interface ReceivedEvent {
  event: string;
  id: string;
  data: Record<string, unknown>;
}

/** The events in a text, and the last id. */
export function parseEvents(text: string): { events: ReceivedEvent[]; lastId: string } {
  let lastId = '';
  const events: ReceivedEvent[] = [];
  for (const block of text.split('\n\n').slice(0, -1)) {
    const fields = new Map(
      block
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    lastId = fields.get('id') ?? lastId;
    const data = fields.get('data');
    if (data !== undefined)
      events.push({ event: fields.get('event')!, id: lastId, data: JSON.parse(data) });
  }
  return { events, lastId };
}
