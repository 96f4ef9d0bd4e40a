import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestApi } from './api.ts';

/** How a person answers the question of a tool. */
export type Answered = (message: string) => {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, boolean>;
};

export interface ClientOptions {
  /** Revision of the protocol; the ones before 2026-07-28 begin with `initialize`. */
  revision?: '2026-07-28' | 'legacy';
  /** A client without it can't show questions. */
  answered?: Answered;
  /** Changes the body of a request before it is sent. */
  change?: (body: string) => string;
}

/** The official client of the protocol, connected in this process. */
export async function connectClient(
  api: Pick<TestApi, 'app'>,
  token: string,
  options: ClientOptions = {},
): Promise<Client> {
  const { revision = 'legacy', answered, change = (body) => body } = options;
  const transport = new StreamableHTTPClientTransport(new URL('https://up.example.com/mcp'), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: async (_url, { method = 'GET', headers, body } = {}) => {
      const {
        statusCode,
        headers: answer,
        rawPayload,
      } = await api.app.inject({
        method: method as 'POST',
        url: '/mcp',
        headers: Object.fromEntries(new Headers(headers)),
        ...(typeof body === 'string' && { payload: change(body) }),
      });
      const shown = Object.entries(answer).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      const isEmpty = [202, 204].includes(statusCode);
      return new Response(isEmpty ? null : new Uint8Array(rawPayload), {
        status: statusCode,
        headers: shown,
      });
    },
  });
  return connect(transport, { revision, answered });
}

/** The official client of the protocol, connected to running services: each request goes to the next one in turn. */
export function connectTo(
  urls: readonly [string, ...string[]],
  token: string,
  options: ClientOptions = {},
): Promise<Client> {
  const { revision = 'legacy', answered } = options;
  let sent = 0;
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', urls[0]), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: (_url, init) => fetch(new URL('/mcp', urls[sent++ % urls.length]), init),
  });
  return connect(transport, { revision, answered });
}

async function connect(
  transport: StreamableHTTPClientTransport,
  { revision, answered }: { revision: '2026-07-28' | 'legacy'; answered: Answered | undefined },
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      versionNegotiation: { mode: revision === 'legacy' ? 'legacy' : { pin: revision } },
      ...(answered && { capabilities: { elicitation: { form: {} } } }),
    },
  );
  if (answered !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }) => answered(params.message));
  }
  await client.connect(transport);
  return client;
}
