import { parseAnswer } from '../lib/exact-json.ts';
import { words } from '../words/index.ts';
import { OPERATIONS, type Operations } from './api.gen.ts';
import { addressOf } from './call-address.ts';
import { API, BASE } from './place.ts';

/** The one way to the API: operations by their names, with the types of what they take and answer. */

export type * from './api.gen.ts';

export type OperationName = keyof Operations;
type InputOf<Name extends OperationName> = Operations[Name]['input'] & Extras;

/** Options of a call besides its parameters. */
interface Extras {
  signal?: AbortSignal;
  /** `If-Match`, such as the fingerprint of a plan. */
  match?: string;
}

/** What an operation answers. */
export type AnswerOf<Name extends OperationName> = Operations[Name]['answer'];

/** Body that an operation takes. */
export type BodyOf<Name extends OperationName> = Extract<
  Operations[Name]['input'],
  { body: object }
>['body'];

/** What follows the name of an operation where it is called: its input, if it takes any. */
export type Arguments<Name extends OperationName, Options = undefined> =
  Partial<InputOf<Name>> extends InputOf<Name>
    ? [input?: InputOf<Name>, options?: Options]
    : [input: InputOf<Name>, options?: Options];

/** Parameters of a list. */
export type QueryOf<Name extends OperationName> = Operations[Name]['input'] extends {
  query?: infer Query;
}
  ? NonNullable<Query>
  : never;

/** Failed request, with a message for people in the words of the API. */
export class ApiError extends Error {
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** Messages by field. */
  readonly errors: Record<string, string[]>;
  /** Seconds to wait after 429, else null. */
  readonly retryAfter: number | null;
  /** Short code of the error, such as `plan_limit`; empty when the API gives none. */
  readonly code: string;

  constructor(status: number, body: ErrorBody) {
    // Of its own errors the API says nothing but that.
    super((status !== 500 && body.message) || words.errors.status(status));
    this.status = status;
    this.errors = body.errors ?? {};
    this.retryAfter = body.retry_after ?? null;
    this.code = body.code ?? body.error ?? '';
  }
}

/** What an error says to people: errors of the program itself have no words of their own. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : words.errors.broken;
}

interface ErrorBody {
  message?: string;
  errors?: Record<string, string[]>;
  retry_after?: number;
  code?: string;
  error?: string;
}

/** Calls an operation of the API. Throws an ApiError. */
export async function call<Name extends OperationName>(
  name: Name,
  ...[input]: Arguments<Name>
): Promise<AnswerOf<Name>> {
  const [method, url] = OPERATIONS[name].split(' ') as [string, string];
  const { body, signal, match, ...parameters } = (input ?? {}) as Parts;
  const address = API + addressOf({ url, ...parameters });
  const { isOk, status, content } = await send(method, address, body, { signal, match });
  if (isOk) return content as AnswerOf<Name>;
  if (status === 401) onSignedOut();
  throw errorOf(status, content);
}

interface Parts extends Extras {
  body?: unknown;
  path?: unknown;
  query?: unknown;
}

/** Calls a path of sign-in below `/api/auth`, which openapi.json does not describe. Throws an ApiError. */
export async function callAuth<Data>(
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Data> {
  const { isOk, status, content } = await send(method, `${BASE}/api/auth${path}`, body);
  if (isOk) return content as Data;
  throw errorOf(status, content);
}

/** Characters of an answer that takes a slow browser longer than a frame to parse. */
const LARGE_ANSWER = 500_000;

/** Rejects with an ApiError when there is no answer, or only a part of one. */
async function send(method: string, url: string, body: unknown, { signal, match }: Extras = {}) {
  try {
    const response = await fetch(url, {
      method,
      signal,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json', ...(match && { 'if-match': match }) },
        body: JSON.stringify(body),
      }),
    });
    const text = await response.text();
    const content = contentOf(text);
    // A frame has room between parsing a large answer and what follows from it.
    if (text.length > LARGE_ANSWER) await new Promise((resolve) => setTimeout(resolve));
    return { isOk: response.ok, status: response.status, content };
  } catch {
    throw new ApiError(0, { message: words.errors.unreachable });
  }
}

/** Answers are JSON or empty; errors of a proxy are pages. */
function contentOf(text: string): unknown {
  try {
    return text === '' ? {} : parseAnswer(text);
  } catch {
    return text;
  }
}

/** How a message about a field, or about none, is said in the language of the page. */
type Speaker = (message: string, field: string) => string;
let speaker: Speaker = (message) => message;

/** Sets how messages of the API are said, which is English until then: the words for that come after the first view. */
export function setSpeaker(next: Speaker): void {
  speaker = next;
}

function errorOf(status: number, content: unknown): ApiError {
  const body = typeof content === 'object' && content !== null ? (content as ErrorBody) : {};
  const { message, errors = {} } = body;
  const field = Object.keys(errors).find((name) => message?.startsWith(`${name} `)) ?? '';
  return new ApiError(status, { ...body, message: message && speaker(message, field) });
}

/** What happens when an answer says that nobody is signed in. */
let onSignedOut = (): void => {};

/** Sets what happens when an answer says that nobody is signed in; nothing by default. */
export function whenSignedOut(act: () => void): void {
  onSignedOut = act;
}
