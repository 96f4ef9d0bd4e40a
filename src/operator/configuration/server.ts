import { MAX_DOCUMENT_BYTES } from '../../configuration/document.ts';
import { readFile } from 'node:fs/promises';
import {
  CommandError,
  textOption,
  type CommandInput,
  type ConfigurationContext,
} from '../command.ts';
import { NO_SERVER, type Served } from './served.ts';

/** A server that plans, applies and exports sets of one team. Rejects with a Refusal or a CommandError. */
export interface ConfigurationServer {
  plan(body: object): Promise<unknown>;
  /** @param fingerprint of the plan to apply. */
  apply(body: object, fingerprint: string): Promise<unknown>;
  export(name: string | null): Promise<unknown>;
  /** Days of another service, for monitors of a set. */
  importDays(body: object): Promise<unknown>;
  /** What all sets of the team own. */
  items(): Promise<unknown>;
}

/** What a server refused, by places of the document. */
export class Refusal extends CommandError {
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** Whether another plan is due than the one that was to be applied. */
  readonly isOutdated: boolean;

  constructor(
    message: string,
    errors: Readonly<Record<string, readonly string[]>>,
    isOutdated: boolean,
  ) {
    super(message);
    this.errors = errors;
    this.isOutdated = isOutdated;
  }
}

const MIB = 1024 * 1024;
/** A run may take two minutes, and wait for another one of the team. */
const ANSWER_MS = 300_000;

/** The server that `--url` names, or else the one that runs on the data folder. @throws CommandError */
export async function openServer(context: ConfigurationContext, given: CommandInput) {
  const url = textOption(given, 'url');
  if (url !== null) return remoteServer(context, given, url);
  if (textOption(given, 'token-file') !== null) {
    throw new CommandError(
      '--token-file needs --url: the server on this machine asks for no token.',
    );
  }
  return localServer(context, textOption(given, 'team'));
}

async function localServer(
  context: ConfigurationContext,
  team: string | null,
): Promise<ConfigurationServer> {
  const { dataDir, databaseUrl } = await context.settings();
  if (databaseUrl !== null) {
    throw new CommandError(
      'With DATABASE_URL, a server is asked over HTTP: name it with --url, and its token with TOCSIN_TOKEN.',
    );
  }
  async function ask(command: string, options: Record<string, string | null>, input: object = {}) {
    const { askServer } = await import('../run.ts');
    const given = Object.entries({ team, ...options }).flatMap(([name, value]) =>
      value === null ? [] : [`--${name}=${value}`],
    );
    let text = '';
    const request = { args: ['configuration', command, ...given], password: null, input };
    const end = await askServer(dataDir, request, {
      out: async (part) => void (text += part),
      note: async () => {},
    });
    if (end === null) throw new CommandError(NO_SERVER);
    if (end.end === 'refused') throw new CommandError(end.message);
    if (end.end === 'failed') throw new Error(end.message);
    const result = JSON.parse(text) as Served;
    if ('answer' in result) return result.answer;
    const { code, message, errors } = result.problem;
    throw new Refusal(message, errors, code === 'precondition_failed');
  }
  return {
    plan: (body) => ask('plan', {}, limited(body)),
    apply: (body, fingerprint) => ask('apply', { 'if-match': `"${fingerprint}"` }, limited(body)),
    export: (name) => ask('export', { name }),
    importDays: (body) => ask('history', {}, limited(body)),
    items: () => ask('items', {}),
  };
}

async function remoteServer(
  { environment }: ConfigurationContext,
  given: CommandInput,
  url: string,
): Promise<ConfigurationServer> {
  if (textOption(given, 'team') !== null) {
    throw new CommandError('Give either --team or --url: the token says which team.');
  }
  const base = baseOf(url);
  const token = await tokenOf(environment, textOption(given, 'token-file'));

  async function ask(path: string, body: object | null, headers: Record<string, string> = {}) {
    const response = await fetch(`${base}/api/v1/configuration/${path}`, {
      method: body === null ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === null ? null : JSON.stringify(limited(body)),
      // A redirection would be followed with the token.
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    }).catch((error: Error) => {
      const mayGoOn = path === 'apply' && error.name === 'TimeoutError';
      const hint = mayGoOn ? ' It may still be applied: plan again to see.' : '';
      throw new CommandError(`${base} can't be reached: ${reasonOf(error)}.${hint}`);
    });
    const answer = await response.json().catch(() => null);
    if (typeof answer !== 'object' || answer === null) {
      throw new CommandError(
        `${base} answered ${response.status}, and not as Tocsin does: check --url.`,
      );
    }
    if (response.ok) return answer;
    throw refusalOf(response.status, answer as Record<string, unknown>);
  }
  return {
    plan: (body) => ask('plan', body),
    apply: (body, fingerprint) => ask('apply', body, { 'if-match': `"${fingerprint}"` }),
    export: (name) =>
      ask(`export${name === null ? '' : `?name=${encodeURIComponent(name)}`}`, null),
    importDays: (body) => ask('imported-days', body),
    items: () => ask('items', null),
  };
}

function refusalOf(status: number, answer: Record<string, unknown>): Refusal {
  const text = answer['message'] ?? answer['error'];
  const message = typeof text === 'string' ? text : `The server answered ${status}.`;
  const errors = typeof answer['errors'] === 'object' ? answer['errors'] : null;
  const hint = status === 401 ? ' Check the token.' : '';
  return new Refusal(`${message}${hint}`, (errors ?? {}) as Refusal['errors'], status === 412);
}

/** @throws CommandError */
function baseOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new CommandError(
      '--url must be the address of a server, such as https://status.example.com.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new CommandError('--url must not hold a password: give a token with TOCSIN_TOKEN.');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** @throws CommandError */
async function tokenOf(environment: ConfigurationContext['environment'], file: string | null) {
  const text =
    file === null
      ? (environment['TOCSIN_TOKEN'] ?? '')
      : await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
          throw new CommandError(`The token can't be read from ${file} (${error.code}).`);
        });
  const token = text.trim();
  if (token === '')
    throw new CommandError('--url needs a token: set TOCSIN_TOKEN, or give --token-file.');
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new CommandError(
      'The token has characters that no token has: check what TOCSIN_TOKEN or --token-file holds.',
    );
  }
  return token;
}

/** @throws CommandError for more than a server takes. */
function limited(body: object): object {
  const bytes = Buffer.byteLength(JSON.stringify(body));
  if (bytes <= MAX_DOCUMENT_BYTES) return body;
  throw new CommandError(
    `The set has ${(bytes / MIB).toFixed(1)} MiB as JSON, and a server takes ${MAX_DOCUMENT_BYTES / MIB} MiB. Divide it into several sets.`,
  );
}

/** The cause says more than "fetch failed". */
function reasonOf({ name, message, cause }: Error): string {
  if (name === 'TimeoutError') return `there was no answer within ${ANSWER_MS / 1_000} s`;
  const { code, message: reason } = (cause ?? {}) as { code?: string; message?: string };
  return (reason || code || message).replace(/\.$/, '');
}
