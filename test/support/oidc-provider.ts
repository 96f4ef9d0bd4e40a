import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
// The package has no types.
import OidcProvider from 'oidc-provider';

interface OidcAccount {
  sub: string;
  email: string;
  email_verified: boolean;
  name: string;
}

/** The part of it that is used here. */
interface Provider {
  callback(): (request: IncomingMessage, response: ServerResponse) => unknown;
  interactionDetails(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<{
    prompt: { name: string };
    params: Record<string, unknown>;
    session?: { accountId: string };
  }>;
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: object,
    options?: { mergeWithLastSubmission: boolean },
  ): Promise<void>;
  Grant: new (grant: { accountId: string; clientId: string }) => {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  };
}

/** A real OpenID provider on loopback that signs in the account that the test sets, and consents to everything. */
export interface TestOidcProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  setAccount(account: OidcAccount): void;
  /** Follows the redirects from the provider back, as a browser does. */
  visit(url: string): Promise<URL>;
  close(): Promise<void>;
}

const CLIENT = { clientId: 'tocsin', clientSecret: 'a secret of the client, for tests alone' };

export async function startOidcProvider(redirectUri: string): Promise<TestOidcProvider> {
  let account: OidcAccount | null = null;
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const configuration = {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: 'ES256' as const,
      },
    ],
    jwks: {
      keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'k' }],
    },
    cookies: { keys: ['a key for cookies'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: {
      url: (_context: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}`,
    },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: async () => ({ ...account!, sub }),
    }),
  };
  const provider = new OidcProvider(issuer, configuration) as Provider;
  const asIs = provider.callback();

  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return void asIs(request, response);
    interact(request, response).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(String(error));
    });
  });

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login') {
      const login = { accountId: account!.sub };
      return provider.interactionFinished(request, response, { login });
    }
    const grant = new provider.Grant({
      accountId: session!.accountId,
      clientId: String(params['client_id']),
    });
    grant.addOIDCScope('openid email profile');
    const consent = { grantId: await grant.save() };
    await provider.interactionFinished(
      request,
      response,
      { consent },
      { mergeWithLastSubmission: true },
    );
  }

  return {
    issuer,
    ...CLIENT,
    setAccount: (next) => (account = next),
    async visit(url) {
      const cookies = new Map<string, string>();
      let next = new URL(url);
      for (let step = 0; step < 10; step += 1) {
        const response = await fetch(next, {
          redirect: 'manual',
          headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        });
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        const location = response.headers.get('location');
        if (location === null) throw new Error(`${response.status}: ${await response.text()}`);
        next = new URL(location, next);
        if (next.origin !== issuer) return next;
      }
      throw new Error('The provider sends the browser round and round.');
    },
    close: () => closed(server),
  };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(() => resolve()));
}
