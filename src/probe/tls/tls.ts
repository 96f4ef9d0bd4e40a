import {
  connect,
  createSecureContext,
  type ConnectionOptions,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import type { X509Certificate } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import type { Clock } from '../../lib/clock.ts';
import type { Failure } from '../../model/failure.ts';
import type { TlsSummary } from '../../model/check.ts';
import { failure, ownFault, seconds, shutdownFailure, type SystemError } from '../failures.ts';
import { withoutControls } from '../http/secret-removal.ts';
import { isShutdown, type Stop } from '../contract.ts';
import { certificateNames, describeNames, isForHost, type CertificateName } from './names.ts';

/**
 * TLS contexts. A context takes milliseconds to create and contains the whole trust store, so there is one per kind of
 * connection, created on first use.
 */
export type TlsContexts = ReturnType<typeof createTlsContexts>;

/**
 * Key exchange without post-quantum groups: they cost a tenth of a handshake, and some network equipment drops the
 * large ClientHello that they need, which would show a target as down that browsers reach.
 */
const GROUPS = 'X25519:prime256v1:secp384r1:secp521r1';

/** `authorities` (PEM) replace the trust store. */
export function createTlsContexts(authorities?: string[]) {
  let verified: SecureContext | null = null;
  let unverified: SecureContext | null = null;
  return {
    /** Trusts Node's store and NODE_EXTRA_CA_CERTS. */
    verified: () =>
      (verified ??= createSecureContext({
        ecdhCurve: GROUPS,
        ...(authorities === undefined ? {} : { ca: authorities }),
      })),
    /** For targets whose certificate is not verified: these are often old, so old protocols and weak keys are allowed. */
    unverified: () =>
      (unverified ??= createSecureContext({
        ecdhCurve: GROUPS,
        minVersion: 'TLSv1',
        ciphers: 'DEFAULT@SECLEVEL=0',
        ...(authorities === undefined ? {} : { ca: authorities }),
      })),
  };
}

/** Limits on the chain and the names kept as evidence. */
const MAX_CHAIN_LENGTH = 10;
const MAX_NAME_LENGTH = 200;

interface HandshakeRequest {
  socket: Socket;
  /** Host of the URL, without brackets. */
  host: string;
  port: number;
  verify: boolean;
  timeoutMs: number;
}

/** Facts of a TLS connection; the summary takes time, so it is only made where it is kept. */
export interface TlsFacts {
  protocol: string | null;
  /** IANA name. */
  cipher: string | null;
  certificate: X509Certificate;
}

/** `fault` is a problem of the certificate: the connection is established all the same, and belongs to the caller. */
type Handshake =
  | {
      ok: true;
      socket: TLSSocket;
      milliseconds: number;
      tls: TlsFacts | null;
      fault: Failure | null;
    }
  | { ok: false; failure: Failure };

/**
 * Performs a TLS handshake on a connected socket. Certificate faults are found after the handshake, so that the
 * certificate can be shown; none are looked for if `verify` is false. Closes the socket on failure.
 */
export function handshake(
  { socket, host, port, verify, timeoutMs }: HandshakeRequest,
  contexts: TlsContexts,
  clock: Clock,
  stop: Stop,
): Promise<Handshake> {
  if (socket.destroyed) {
    const reason = handshakeFailure(socket.errored, port);
    return Promise.resolve({ ok: false, failure: reason });
  }
  return new Promise((resolve) => {
    const startedAt = clock.monotonic();
    const name = host.endsWith('.') ? host.slice(0, -1) : host;
    let settled = false;
    const secure = startTls(socket, name, {
      secureContext: verify ? contexts.verified() : contexts.unverified(),
      ALPNProtocols: ['http/1.1'],
    });

    const settle = (result: Handshake): void => {
      if (settled) return;
      settled = true;
      stop.onAbort(null);
      if (!result.ok) {
        secure.destroy();
        socket.destroy();
      }
      resolve(result);
    };
    const fail = (reason: Failure): void => settle({ ok: false, failure: reason });

    secure.on('error', (error: SystemError) => fail(handshakeFailure(error, port)));
    secure.on('close', () => fail(handshakeFailure(null, port)));
    secure.on('secureConnect', () => {
      const milliseconds = clock.monotonic() - startedAt;
      const certificate = secure.getPeerX509Certificate();
      const tls = certificate ? readTlsFacts(secure, certificate) : null;
      const fault = verify ? certificateFault(secure, certificate, name, clock.now()) : null;
      settle({ ok: true, socket: secure, milliseconds, tls, fault });
    });
    stop.onAbort(() =>
      fail(
        isShutdown(stop.signal)
          ? shutdownFailure()
          : failure('tls_handshake', `TLS handshake not finished within ${seconds(timeoutMs)}`),
      ),
    );
  });
}

/**
 * Starts a TLS handshake that accepts any certificate. Prevents Node from converting the whole chain to objects, for
 * `checkServerIdentity`, which takes a fifth of a check's time: the leaf is read natively instead.
 */
export function startTls(
  socket: Socket,
  host: string,
  options: Pick<ConnectionOptions, 'secureContext' | 'ALPNProtocols' | 'requestOCSP'>,
): TLSSocket {
  const secure = connect({
    ...options,
    socket,
    host,
    // Server Name Indication is for names only (RFC 6066, section 3).
    servername: isIP(host) === 0 ? host : '',
    rejectUnauthorized: false,
    checkServerIdentity: () => undefined,
  });
  return Object.assign(secure, { getPeerCertificate: () => ({}) as PeerCertificate });
}

/** Reads protocol and cipher, which are unavailable once the socket is closed. */
function readTlsFacts(socket: TLSSocket, certificate: X509Certificate): TlsFacts {
  const cipher: string | undefined = socket.getCipher()?.standardName;
  return { protocol: socket.getProtocol(), cipher: cipher ?? null, certificate };
}

/** Summary of a TLS connection for evidence: names and times of the chain. */
export function summarizeTls({ protocol, cipher, certificate }: TlsFacts): TlsSummary {
  return {
    protocol,
    cipher,
    ...chainEntry(certificate),
    validFrom: isoTime(certificate.validFrom),
    chain: certificatesAfter(certificate).map(chainEntry),
  };
}

function chainEntry(certificate: X509Certificate): TlsSummary['chain'][number] {
  return {
    subject: shownName(certificate.subject),
    issuer: shownName(certificate.issuer),
    validTo: isoTime(certificate.validTo),
  };
}

function shownName(name: string | undefined): string | null {
  const text = commonName(name);
  return text === null ? null : withoutControls(text).slice(0, MAX_NAME_LENGTH).toWellFormed();
}

function certificatesAfter(leaf: X509Certificate): X509Certificate[] {
  const chain: X509Certificate[] = [];
  let each = leaf.issuerCertificate;
  for (; each !== undefined && chain.length < MAX_CHAIN_LENGTH; each = each.issuerCertificate) {
    chain.push(each);
  }
  return chain;
}

/**
 * Common name from a distinguished name, which Node writes as lines of `CN=…`; the organization of an authority without
 * one.
 */
export function commonName(name: string | undefined): string | null {
  const lines = (name ?? '').split('\n');
  for (const type of ['CN=', 'O=', 'OU=']) {
    const line = lines.find((each) => each.startsWith(type));
    if (line !== undefined) return line.slice(type.length);
  }
  return null;
}

function isoTime(text: string): string | null {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

function day(text: string): string {
  return isoTime(text)?.slice(0, 10) ?? 'an unknown date';
}

const UNTRUSTED: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its chain ends in an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the server does not send its chain, or the authority is unknown',
  UNABLE_TO_GET_ISSUER_CERT: 'its authority is unknown',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its authority is unknown',
  CERT_REVOKED: 'it is revoked',
  INVALID_PURPOSE: 'it is not made for servers, or what signed it is no authority',
  CERT_SIGNATURE_FAILURE: 'its signature is wrong',
  EE_KEY_TOO_SMALL: 'its key is too short',
  // Codes that Node has no name for are mostly about strength.
  UNSPECIFIED: 'its key or a signature of its chain is too weak, or its chain breaks a rule',
};

/** Why a certificate is invalid; null if it is valid. Evaluates the chain before the name, as browsers do. */
export function certificateFault(
  socket: TLSSocket,
  certificate: X509Certificate | undefined,
  host: string,
  now: number,
): Failure | null {
  if (certificate === undefined) {
    return failure('tls_untrusted', 'TLS certificate is missing: the server sent none');
  }
  // Node's typings say Error, but the value is the error's code.
  const problem = socket.authorizationError as Error | string | null | undefined;
  if (problem) return chainFailure(String(problem), certificate, now);
  const names = certificateNames(certificate);
  return isForHost(names, host)
    ? null
    : failure('tls_wrong_host', wrongHostText(names, certificate, host));
}

/** Never uses Node's own texts: some of them recommend disabling verification. */
function chainFailure(code: string, leaf: X509Certificate, now: number): Failure {
  const invalid = firstInvalidCertificate(leaf, now);
  if (code === 'CERT_HAS_EXPIRED') {
    return failure(
      'tls_expired',
      `${certificateLabel(invalid, leaf)} expired on ${day(invalid.validTo)}`,
    );
  }
  if (code === 'CERT_NOT_YET_VALID') {
    const text = `${certificateLabel(invalid, leaf)} is not valid before ${day(invalid.validFrom)}`;
    return failure('tls_not_yet_valid', text);
  }
  return failure('tls_untrusted', `TLS certificate is not trusted: ${UNTRUSTED[code] ?? code}`);
}

/** First certificate of the chain that is not valid now; the leaf if none is. */
function firstInvalidCertificate(leaf: X509Certificate, now: number): X509Certificate {
  let each: X509Certificate | undefined = leaf;
  for (let depth = 0; each !== undefined && depth < 10; depth++) {
    if (Date.parse(each.validTo) < now || Date.parse(each.validFrom) > now) return each;
    each = each.issuerCertificate;
  }
  return leaf;
}

function certificateLabel(certificate: X509Certificate, leaf: X509Certificate): string {
  if (certificate === leaf) return 'TLS certificate';
  return `The authority's TLS certificate ${commonName(certificate.subject) ?? ''}`.trimEnd();
}

function wrongHostText(
  names: readonly CertificateName[],
  { subject }: X509Certificate,
  host: string,
): string {
  if (names.length > 0) return `TLS certificate is for ${describeNames(names)}, not ${host}`;
  const name = shownName(subject);
  return name === null
    ? `TLS certificate is for no name at all, not ${host}`
    : `TLS certificate names no host: browsers ignore its subject ${name}`;
}

const NOT_TLS = /wrong version number|packet length too long|http request|record layer failure/i;

/** `error` is null if the connection was closed without one. */
export function handshakeFailure(error: SystemError | null, port: number): Failure {
  return (
    ownFault(error?.code) ??
    failure('tls_handshake', `TLS handshake failed: ${handshakeProblem(error, port)}`)
  );
}

function handshakeProblem(error: SystemError | null, port: number): string {
  if (error === null || error.code === 'ECONNRESET') return 'the server closed the connection';
  if (error.reason === undefined) return error.code ?? 'unknown reason';
  if (NOT_TLS.test(error.reason)) return `the server does not speak TLS on port ${port}`;
  return tlsReason(error.reason);
}

/**
 * Describes an error of the TLS library; an alert (RFC 8446, section 6) means that the server refused the handshake.
 */
export function tlsReason(reason: string): string {
  const alert = /^(?:ssl\/tls|sslv3|tlsv\d+) (?:alert )?(.+)$/.exec(reason.toLowerCase())?.[1];
  // Checks offer HTTP/1.1 alone.
  if (alert === 'no application protocol') return 'the server speaks HTTP/2 only, not HTTP/1.1';
  return alert === undefined ? reason.toLowerCase() : `the server refused it (${alert})`;
}
