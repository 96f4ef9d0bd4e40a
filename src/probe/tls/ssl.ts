import { getCACertificates, type SecureContext, type TLSSocket } from 'node:tls';
import { X509Certificate, type KeyObject } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Failure } from '../../model/failure.ts';
import type {
  InspectionResult,
  SslFacts,
  SslRequest,
  CertificateFacts,
  ChainLink,
} from '../../model/inspection.ts';
import { findTarget } from '../../net/resolver.ts';
import { connect } from '../connect.ts';
import {
  createStop,
  isShutdown,
  type Inspector,
  type ProbeContext,
  type Stop,
} from '../contract.ts';
import { failure, probeError, seconds, shutdownFailure, type SystemError } from '../failures.ts';
import {
  certificateFault,
  createTlsContexts,
  handshakeFailure,
  startTls,
  commonName,
  type TlsContexts,
} from './tls.ts';
import { readStaple } from './ocsp.ts';
import { withoutControls } from '../http/secret-removal.ts';
import { certificateNames } from './names.ts';

interface SslContext extends ProbeContext {
  stop: Stop;
  contexts: TlsContexts;
  anchors: Anchors;
}

interface HandshakeOptions {
  secureContext: SecureContext;
  /** Application protocols to offer (RFC 7301). */
  protocols: string[];
}

interface HandshakeFacts {
  certificate: X509Certificate;
  protocol: string | null;
  cipher: string | null;
  fault: Failure | null;
  staple: Buffer | null;
}

type Handshake = { ok: true; shown: HandshakeFacts } | { ok: false; failure: Failure };
type Attempt = (Handshake & { address: string }) | { ok: false; failure: Failure; address: null };

/**
 * Inspects the certificate of a server. Reachability is checked separately: without a connection or handshake, and for
 * an address that is not allowed, the result is `unknown`. `authorities` (PEM) replace Node's store.
 */
export function createSslInspector(
  options: { authorities?: string[] } = {},
): Inspector<SslRequest> {
  const contexts = createTlsContexts(options.authorities);
  const anchors = createAnchors(options.authorities);
  return async (request, context) => {
    const stop = createStop(context.signal);
    try {
      return await inspect(request, { ...context, stop, contexts, anchors });
    } catch (error) {
      return unknown(probeError(error));
    } finally {
      stop.release();
    }
  };
}

async function inspect(request: SslRequest, context: SslContext): Promise<InspectionResult<'ssl'>> {
  const deadline = context.clock.monotonic() + request.timeoutMs;
  const target = await findTarget(request.host, context);
  if (!target.ok) return unknown(target.failure);
  const attempt = await attemptWithFallback(
    { ...request, deadline, addresses: target.addresses },
    context,
  );
  if (!attempt.ok) return unknown(attempt.failure);
  const { shown, address } = attempt;
  const certificate = readCertificate(shown.certificate);
  if (certificate === null) {
    return { state: 'unknown', reason: "The dates of the TLS certificate can't be read" };
  }
  const facts: SslFacts = {
    address,
    protocol: shown.protocol,
    cipher: shown.cipher,
    certificate,
    chain: readChain(shown.certificate, {
      isTrusted: shown.fault === null,
      anchors: context.anchors,
      now: context.clock.now(),
    }),
    fault: shown.fault,
    ocsp: shown.staple === null ? null : await readStaple(shown.staple, certificate.serialNumber),
  };
  return { state: 'known', facts };
}

function unknown({ text }: Failure): InspectionResult<'ssl'> {
  return { state: 'unknown', reason: text };
}

interface AttemptRequest extends SslRequest {
  addresses: Parameters<typeof connect>[0]['addresses'];
  /** Monotonic time. */
  deadline: number;
}

/**
 * Connects as an HTTPS check does; if the handshake fails, once more with settings for old servers, whose certificates
 * can expire like any other. Trust is evaluated the same way in both, except for key strength.
 */
async function attemptWithFallback(request: AttemptRequest, context: SslContext): Promise<Attempt> {
  const { contexts, stop } = context;
  const modern = { secureContext: contexts.verified(), protocols: ['http/1.1'] };
  const first = await attemptOnce(request, modern, context);
  if (first.ok || first.address === null || stop.signal.aborted) return first;
  const { address } = first;
  const again = {
    ...request,
    addresses: request.addresses.filter((each) => each.address === address),
  };
  const old = { secureContext: contexts.unverified(), protocols: [] };
  const second = await attemptOnce(again, old, context);
  return second.ok ? second : first;
}

async function attemptOnce(
  request: AttemptRequest,
  manner: HandshakeOptions,
  context: SslContext,
): Promise<Attempt> {
  const connection = await connect(request, context);
  if (!connection.ok) return { ...connection, address: null };
  const { socket, address } = connection;
  try {
    return { ...(await performHandshake(socket, request, manner, context)), address };
  } finally {
    socket.destroy();
  }
}

function performHandshake(
  socket: Socket,
  { host, port, timeoutMs }: SslRequest,
  { secureContext, protocols }: HandshakeOptions,
  { clock, stop }: SslContext,
): Promise<Handshake> {
  if (socket.destroyed) {
    return Promise.resolve({ ok: false, failure: handshakeFailure(socket.errored, port) });
  }
  return new Promise((resolve) => {
    const name = host.endsWith('.') ? host.slice(0, -1) : host;
    let staple: Buffer | null = null;
    let finished: Handshake | null = null;
    let settled = false;
    const secure = startTls(socket, name, {
      secureContext,
      ALPNProtocols: protocols,
      requestOCSP: true,
    });

    const settle = (handshake: Handshake): void => {
      if (settled) return;
      settled = true;
      stop.onAbort(null);
      secure.destroy();
      resolve(handshake);
    };
    // Errors after the handshake don't matter.
    const fail = (reason: Failure): void => settle(finished ?? { ok: false, failure: reason });

    secure.on('error', (error: SystemError) => fail(handshakeFailure(error, port)));
    secure.on('close', () => fail(handshakeFailure(null, port)));
    secure.on('OCSPResponse', (response: Buffer | null) => {
      if (response !== null && response.length > 0) staple = response;
    });
    secure.on('secureConnect', () => {
      try {
        const handshake = readHandshake(secure, name, staple, clock.now());
        finished = handshake;
        // Send close_notify first: without it servers log a broken handshake.
        secure.end(() => settle(handshake));
      } catch (error) {
        fail(probeError(error));
      }
    });
    stop.onAbort(() => fail(endOf(stop, timeoutMs)));
  });
}

/**
 * Called right after the handshake: the server's next message may close the connection, and Node returns the chain only
 * once.
 */
function readHandshake(
  secure: TLSSocket,
  host: string,
  staple: Buffer | null,
  now: number,
): Handshake {
  const certificate = secure.getPeerX509Certificate();
  if (certificate === undefined) {
    return { ok: false, failure: failure('tls_handshake', 'The server sent no TLS certificate') };
  }
  return {
    ok: true,
    shown: {
      certificate,
      protocol: secure.getProtocol(),
      cipher: secure.getCipher()?.standardName ?? null,
      fault: certificateFault(secure, certificate, host, now),
      staple,
    },
  };
}

function endOf(stop: Stop, timeoutMs: number): Failure {
  if (isShutdown(stop.signal)) return shutdownFailure();
  return failure('tls_handshake', `TLS handshake not finished within ${seconds(timeoutMs)}`);
}

/** Whether the trust store contains the issuer of a certificate. */
type Anchors = (certificate: X509Certificate) => boolean;

const MAX_NAMES = 100;
const MAX_LINKS = 10;
const MAX_NAME_LENGTH = 253;

/** Facts of a certificate; null if its dates can't be read. Never throws for a certificate that Node could parse. */
function readCertificate(certificate: X509Certificate): CertificateFacts | null {
  const validFrom = certificate.validFromDate.getTime();
  const validTo = certificate.validToDate.getTime();
  if (Number.isNaN(validFrom) || Number.isNaN(validTo)) return null;
  return {
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    serialNumber: certificate.serialNumber,
    subject: displayName(certificate.subject),
    issuer: displayName(certificate.issuer),
    names: certificateNames(certificate)
      .slice(0, MAX_NAMES)
      .map(({ value }) => shorten(value)),
    validFrom,
    validTo,
    ...keyOf(certificate),
  };
}

/**
 * Certificates sent after the server's own, with those marked that clients don't need: only those on the path to a
 * trusted authority are needed. Finds the path as OpenSSL does, which looks for each issuer in its store first and then
 * among those sent. So an expired cross-signature of a widely trusted root does no harm.
 */
function readChain(
  leaf: X509Certificate,
  { isTrusted, anchors, now }: { isTrusted: boolean; anchors: Anchors; now: number },
): ChainLink[] {
  const sent = sentAfter(leaf);
  const needed = new Set<X509Certificate>();
  let current = leaf;
  while (current.subject !== current.issuer && !anchors(current)) {
    const issuer = issuerAmong(sent, needed, current);
    // The chain is trusted although this certificate has expired, so it is not needed.
    if (issuer === null || (isTrusted && issuer.validToDate.getTime() <= now)) break;
    needed.add(issuer);
    current = issuer;
  }
  return sent.map((each) => ({
    subject: displayName(each.subject),
    issuer: displayName(each.issuer),
    validTo: each.validToDate.getTime(),
    ...(needed.has(each) ? {} : { isSpare: true }),
  }));
}

/** Reads the store at the first call, which takes some ten milliseconds. `authorities` (PEM) replace Node's. */
function createAnchors(authorities?: string[]): Anchors {
  let store: Map<string, X509Certificate[]> | null = null;
  return (certificate) => {
    store ??= Map.groupBy(
      (authorities ?? getCACertificates('default')).map((pem) => new X509Certificate(pem)),
      ({ subject }) => subject,
    );
    const candidates = store.get(certificate.issuer) ?? [];
    return candidates.some((each) => certificate.checkIssued(each));
  };
}

function sentAfter(leaf: X509Certificate): X509Certificate[] {
  const sent: X509Certificate[] = [];
  let each = leaf.issuerCertificate;
  for (; each !== undefined && sent.length < MAX_LINKS; each = each.issuerCertificate) {
    if (!Number.isNaN(each.validToDate.getTime())) sent.push(each);
  }
  return sent;
}

/** Returns the certificate of an authority that expires last. */
function issuerAmong(
  sent: X509Certificate[],
  taken: ReadonlySet<X509Certificate>,
  certificate: X509Certificate,
): X509Certificate | null {
  const candidates = sent.filter((each) => !taken.has(each) && certificate.checkIssued(each));
  const longestFirst = candidates.toSorted((a, b) => +b.validToDate - +a.validToDate);
  return longestFirst[0] ?? null;
}

/** Common name without the escapes of RFC 2253 and unprintable characters. */
function displayName(distinguishedName: string | undefined): string | null {
  const name = commonName(distinguishedName);
  if (name === null) return null;
  const plain = name
    .replace(/\\([0-9A-Fa-f]{2})/g, ' ')
    .replace(/\\(.)/gs, '$1')
    .trim();
  return plain === '' ? null : shorten(plain);
}

function shorten(text: string): string {
  return withoutControls(text).slice(0, MAX_NAME_LENGTH).toWellFormed();
}

function keyOf(certificate: X509Certificate): Pick<CertificateFacts, 'keyType' | 'keyBits'> {
  let key: KeyObject;
  try {
    key = certificate.publicKey;
  } catch {
    // A key type that OpenSSL doesn't support.
    return { keyType: null, keyBits: null };
  }
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  // The names of all curves contain their size, such as prime256v1 and secp384r1.
  const curveBits = namedCurve === undefined ? null : /\d{3}/.exec(namedCurve)?.[0];
  return {
    keyType: key.asymmetricKeyType ?? null,
    keyBits: modulusLength ?? (curveBits ? Number(curveBits) : null),
  };
}
