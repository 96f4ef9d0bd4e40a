import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Authenticator } from '../../identity/authenticate.ts';
import type { ClientKeys, RateLimits } from '../../identity/rate-limits.ts';
import type { Log } from '../../lib/log.ts';
import { RateLimited } from '../../resources/common/errors.ts';
import type { PageAccessRules, PageRouting, Ruling } from '../../status-page/access.ts';
import {
  parsePublicPath,
  type DocumentRequest,
  type PublicRequest,
} from '../../status-page/facts/paths.ts';
import {
  acceptedEncodings,
  type Encoding,
  type KeptDocument,
} from '../../status-page/kept-document.ts';
import type { Pages } from '../../status-page/pages.ts';
import { ASSETS } from '../../status-page/render/assets.ts';
import { createClientAddress, type ProxyTrust } from '../client-address.ts';
import { isKnown } from '../entity-tags.ts';
import { errorAnswer, methodNotAllowed } from '../errors.ts';
import { createAnswers, isHtml, type Audience, type PublicCall } from './answers.ts';
import { refusalPage, sendMissing } from './refusals.ts';
import { PREFIX, siteOf, visitorOf, type Site } from './site.ts';

export type ViewResult =
  | 'sent'
  | 'not_modified'
  | 'refused'
  | 'not_found'
  | 'limited'
  | 'unavailable'
  | 'failed';

/**
 * Public documents below `/status/` and on custom domains. They bypass the framework: views are many and must be cheap.
 * Forms go through the framework.
 */
export type StatusRoute = ReturnType<typeof createStatusRoute>;

const METHODS = ['GET', 'HEAD'];

export function createStatusRoute(deps: {
  pages: Pages;
  access: PageAccessRules;
  authenticator: Pick<Authenticator, 'authenticate'>;
  rateLimits: RateLimits;
  clientKeys: ClientKeys;
  trustProxy: ProxyTrust;
  baseUrl: () => string;
  newRequestId: () => string;
  onView: (result: ViewResult) => void;
  log: Log;
}) {
  const { pages, access, rateLimits, clientKeys, baseUrl, onView, log } = deps;
  const addressOf = createClientAddress(deps.trustProxy);
  const answers = createAnswers(baseUrl);
  const assets = encodedAssets();

  async function serve(call: PublicCall, toApi: RequestListener): Promise<void> {
    const { site, request, address } = call;
    const asked = ownRequest(site);
    const { method = '' } = request;
    const isRead = METHODS.includes(method);
    // The framework counts these requests itself.
    if (asked?.type === 'link' || (asked?.type === 'signIn' && !isRead)) return passOn(call, toApi);
    if (!isRead && asked !== null && asked.type !== 'subscribe' && asked.type !== 'other') {
      const allow = ['allow', METHODS.join(', ')];
      return answers.problem(call, methodNotAllowed(method, METHODS), allow);
    }
    const { allowed, limit, retryAfter } = await rateLimits.spend(
      'web',
      clientKeys.client(address),
    );
    if (!allowed) {
      onView('limited');
      return answers.problem(call, new RateLimited(limit, retryAfter));
    }
    if (asked === null) return notFound(call);
    if (site.path.endsWith('/')) return answers.redirect(call, `../${lastPartOf(site.path)}`);
    if (asked.type === 'asset') return sendAsset(call, asked.path);
    const found = pages.findAny(asked.slug);
    const routing = found instanceof Promise ? await found : found;
    if (routing === null) return notFound(call);
    const visitor = visitorOf(request, address, deps.authenticator);
    const document = asked.type === 'document' ? asked.document : PAGE;
    if (asked.type === 'document' && isPartOfPreview(site, routing, document)) {
      if (await access.mayPreview(routing, visitor))
        return view(call, routing, { document, audience: 'editor' });
    }
    if (routing.isDraft) return notFound(call);
    const decided = access.rule(routing, visitor);
    const ruling = typeof decided === 'string' ? decided : await decided;
    if (ruling !== 'allowed' && !isOfSignIn(document, ruling))
      return refuse(call, routing, ruling, document);
    const audience = routing.access.type === 'public' ? 'everybody' : 'some';
    if (asked.type === 'document') return view(call, routing, { document, audience });
    if (asked.type === 'signIn') return answers.redirect(call, `../${routing.slug}`);
    if (asked.type === 'subscribe') return passOn(call, toApi);
    return notFound(call, routing);
  }

  async function view(
    call: PublicCall,
    routing: PageRouting,
    { document, audience }: { document: DocumentRequest; audience: Audience },
  ): Promise<void> {
    const kept =
      pages.ready(routing.slug, document) ?? (await pages.document(routing.slug, document));
    if (kept === null) return notFound(call, routing);
    const headers = [...answers.documentHeaders(document.name, audience)];
    if (audience === 'everybody') {
      headers.push('etag', kept.etag);
      const known = call.request.headers['if-none-match'];
      if (known !== undefined && isKnown(known, kept.etag)) {
        onView('not_modified');
        return answers.send(call, 304, headers);
      }
    }
    const [encoding, body] = await encodedBody(call.request, kept);
    headers.push('content-type', kept.type);
    if (encoding !== null) headers.push('content-encoding', encoding);
    onView('sent');
    answers.send(call, 200, headers, body);
  }

  async function refuse(
    call: PublicCall,
    { slug }: PageRouting,
    ruling: Exclude<Ruling, 'allowed'>,
    { name }: DocumentRequest,
  ): Promise<void> {
    onView('refused');
    const identity = isHtml(name) ? await pages.identity(slug) : null;
    if (identity === null) return answers.text(call, 403, 'This document is not public.\n');
    const { site } = call;
    const returnTo = returnToOf(site, slug);
    const options = { document: site.path, returnTo, baseUrl: baseUrl() };
    answers.page(call, 403, refusalPage(identity, ruling, options));
  }

  /** The page answers for what is below it. */
  async function notFound(call: PublicCall, routing?: PageRouting): Promise<void> {
    onView('not_found');
    const page = routing === undefined ? null : await pages.identity(routing.slug);
    sendMissing(answers, call, page);
  }

  function sendAsset(call: PublicCall, path: string): Promise<void> | undefined {
    const asset = assets.get(path);
    if (asset === undefined) return notFound(call);
    onView('sent');
    const { type, bytes, encoded } = asset;
    const headers = [...answers.assetHeaders(), 'content-type', type];
    const accepted = acceptedEncodings(acceptHeaderOf(call.request));
    const encoding = accepted.find((name) => encoded[name] !== null);
    if (encoding !== undefined) headers.push('content-encoding', encoding);
    answers.send(call, 200, headers, encoding === undefined ? bytes : encoded[encoding]!);
    return undefined;
  }

  function fail(call: PublicCall, error: unknown): void {
    const { isFault } = errorAnswer(error, call.requestId);
    if (isFault)
      // Log: A visitor of a status page got an error.
      log.error({ error, request_id: call.requestId }, 'A public document failed.');
    onView(isFault ? 'failed' : 'unavailable');
    if (call.response.headersSent) call.response.destroy();
    else answers.problem(call, error);
  }

  return {
    handle(request: IncomingMessage, response: ServerResponse, toApi: RequestListener) {
      const site = siteOf(pages, request);
      if (site === null) return false;
      const requestId = deps.newRequestId();
      const call = { site, request, response, address: addressOf(request), requestId };
      serve(call, toApi).catch((error: unknown) => fail(call, error));
      return true;
    },
    /** Prepares for shutdown: closes connections with the answer. */
    drain: answers.drain,
  };
}

/** Static files of public documents by their path below `/status/`, each encoded once; null where an encoding saves nothing. */
function encodedAssets() {
  return new Map(
    ASSETS.map(({ path, type, bytes }) => {
      const shorter = (encoded: Buffer) => (encoded.length < bytes.length ? encoded : null);
      const encoded = { br: shorter(brotliCompressSync(bytes)), gzip: shorter(gzipSync(bytes)) };
      return [path, { type, bytes, encoded }];
    }),
  );
}

/** Hands a request to the framework, under its path below BASE_URL. */
function passOn({ site, request, response }: PublicCall, toApi: RequestListener): void {
  request.url = `${PREFIX}${site.path}${site.query === '' ? '' : `?${site.query}`}`;
  toApi(request, response);
}

const PAGE: DocumentRequest = { name: 'page' };

/** What a request asks for. A custom domain has nothing but its own page. */
function ownRequest({ slug, path, query }: Site): PublicRequest {
  const asked = parsePublicPath(path.replace(/\/$/, ''), query);
  if (slug === null || asked?.type === 'asset' || asked?.slug === slug) return asked;
  return { type: 'other', slug };
}

async function encodedBody(
  request: IncomingMessage,
  kept: KeptDocument,
): Promise<[Encoding | null, Buffer]> {
  const [encoding] = acceptedEncodings(acceptHeaderOf(request));
  const encoded = encoding === undefined ? undefined : kept.encoded(encoding);
  if (encoding === undefined || encoded === undefined) return [null, kept.body];
  return [encoding, Buffer.isBuffer(encoded) ? encoded : await encoded];
}

function acceptHeaderOf({ headers }: IncomingMessage): string | undefined {
  const accepted = headers['accept-encoding'];
  return typeof accepted === 'string' ? accepted : undefined;
}

/**
 * Whether a document of a restricted page or a draft may be asked for by its editor, with `?preview`. Images and styles are
 * parts of that page. Sessions are known below BASE_URL only.
 */
function isPartOfPreview(
  { slug, query }: Site,
  { access, isDraft }: PageRouting,
  { name }: DocumentRequest,
) {
  if (slug !== null || (access.type === 'public' && !isDraft)) return false;
  return name === 'image' || name === 'style' || /(?:^|&)preview(?:=|&|$)/.test(query);
}

function isOfSignIn({ name }: DocumentRequest, ruling: Ruling): boolean {
  return ruling === 'password' && (name === 'image' || name === 'style');
}

function returnToOf({ path, query }: Site, slug: string): string {
  const asked = parsePublicPath(path, query);
  return asked?.type === 'document' && isHtml(asked.document.name) ? path : slug;
}

const lastPartOf = (path: string) => path.replace(/\/+$/, '').split('/').at(-1)!;
