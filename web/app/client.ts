import { addressOf, type Address } from './call-address.ts';
import { API } from './place.ts';
import { parseAnswer } from '../lib/exact-json.ts';

/** Sends the calls of the generated functions (client/sdk.gen.ts), with no more than they need. */

/** What an operation takes, as openapi.json describes it. */
export interface TDataShape {
  body?: unknown;
  headers?: unknown;
  path?: unknown;
  query?: unknown;
  url: string;
}

/** What a caller gives: the parameters and the body of the operation. */
export type Options<Data extends TDataShape, _Throws = boolean, _Response = unknown> = Omit<
  Data,
  'url' | 'headers'
> & { headers?: Record<string, string>; signal?: AbortSignal };

/** Nothing is added to calls. */
export type ClientMeta = Record<never, never>;

type OneOf<Answers> = Answers extends Record<string, unknown> ? Answers[keyof Answers] : Answers;

/** Rejects when there is no answer, or only a part of one. */
export type RequestResult<Responses, Errors, _Throws = boolean> = Promise<
  { response: Response } & (
    | { data: OneOf<Responses>; error: undefined }
    | { data: undefined; error: OneOf<Errors> }
  )
>;

interface Call extends Address {
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

type Send = <Responses, Errors, Throws>(call: Call) => RequestResult<Responses, Errors, Throws>;
export type Client = Record<'get' | 'post' | 'put' | 'patch' | 'delete', Send>;

function sender(method: string): Send {
  return async (call) => {
    const { headers, body, signal } = call;
    const response = await fetch(API + addressOf(call), {
      method,
      signal,
      ...(body !== undefined && { headers, body: JSON.stringify(body) }),
    });
    const content = contentOf(await response.text());
    const answer = response.ok ? { data: content } : { error: content };
    // The types of answers are those of openapi.json.
    return { response, ...answer } as never;
  };
}

/** Answers are JSON or empty; errors of a proxy are pages. */
function contentOf(text: string): unknown {
  try {
    return text === '' ? {} : parseAnswer(text);
  } catch {
    return text;
  }
}

export const client: Client = {
  get: sender('GET'),
  post: sender('POST'),
  put: sender('PUT'),
  patch: sender('PATCH'),
  delete: sender('DELETE'),
};
