import type { TestApi } from './api.ts';

export interface PageAnswer {
  status: number;
  headers: Record<string, unknown>;
  // Untyped: tests assert the fields.
  body: Record<string, unknown>;
  /** Set-Cookie headers as received. */
  setCookies: string[];
}

/** A browser with a page of the dashboard open: it keeps cookies and sends the origin of its requests. */
export interface TestBrowser {
  get(path: string, headers?: Record<string, string>): Promise<PageAnswer>;
  post(path: string, body?: object, headers?: Record<string, string>): Promise<PageAnswer>;
  cookies: Map<string, string>;
  /** Its cookies as a Cookie header. */
  cookie(): string;
}

export function openBrowser(
  api: Pick<TestApi, 'app'>,
  options: { address?: string; origin?: string } = {},
): TestBrowser {
  const { address = '192.0.2.1', origin = 'https://up.example.com' } = options;
  const cookies = new Map<string, string>();
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  async function send(
    method: 'GET' | 'POST',
    url: string,
    body: object | undefined,
    headers: Record<string, string> = {},
  ): Promise<PageAnswer> {
    const response = await api.app.inject({
      method,
      url,
      remoteAddress: address,
      headers: {
        ...(cookies.size > 0 && { cookie: cookie() }),
        ...(method === 'POST' && { origin, 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    const setCookies = [response.headers['set-cookie'] ?? []].flat();
    for (const line of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const isJson = String(response.headers['content-type'] ?? '').includes('json');
    return {
      status: response.statusCode,
      headers: response.headers,
      body: isJson ? (response.json() ?? {}) : {},
      setCookies,
    };
  }

  return {
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body = {}, headers) => send('POST', path, body, headers),
    cookies,
    cookie,
  };
}
