import {
  connect,
  credsAuthenticator,
  nkeyAuthenticator,
  wsconnect,
  type ConnectionOptions,
  type NatsConnection,
} from '@nats-io/transport-node';
import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';

/** How to reach the NATS servers. Texts of keys and certificates are PEM, or as NATS writes them. */
export interface NatsSettings {
  /** `nats://`, `tls://`, `ws://` or `wss://`, with or without user and password; all of one kind. */
  urls: readonly string[];
  /** Content of a `.creds` file (JWT and nkey). */
  credentials: string | null;
  nkey: string | null;
  /** Certificates that the servers' certificates are checked against instead of the system's. */
  tlsCa: string | null;
  tlsCert: string | null;
  tlsKey: string | null;
}

export type BusConnection = Awaited<ReturnType<typeof connectBus>>;

/** Fixed and short: a lost connection means that nothing is checked. Spread, so that a restarted server is not overrun. */
const RECONNECT_WAIT_MS = 250;
const RECONNECT_JITTER_MS = 500;
/** A server that is cut off without a word is noticed after two of these. */
const PING_EVERY_MS = 3_000;
const MAX_PINGS_OUT = 2;
const CONNECT_WITHIN_MS = 5_000;

/** The NATS servers could not be reached, or refused us. The message never contains credentials. */
class BusUnavailable extends Error {
  override name = 'BusUnavailable';
}

/**
 * Connects to NATS. Waits up to `waitMs` (by default a minute) for a server, unless it refuses us. Rejects with
 * `BusUnavailable`. `name` is that of this process in the server's own records.
 */
export async function connectBus(
  settings: NatsSettings,
  deps: { name: string; clock: Clock; log: Log; waitMs?: number },
) {
  const nats = await connectWithRetry(() => open(settings, deps.name), deps);
  const listeners: ((isConnected: boolean) => void)[] = [];
  let isConnected = true;
  const change = (to: boolean) => {
    if (to === isConnected) return;
    isConnected = to;
    for (const call of listeners) call(to);
  };
  void watch(nats, deps.log, change);
  void watchEnd(nats, deps.log, change);
  return {
    nats,
    isConnected: () => isConnected,
    onChange: (call: (isConnected: boolean) => void) => void listeners.push(call),
    async close() {
      await nats.flush().catch(() => {});
      await nats.close();
    },
  };
}

async function watch(nats: NatsConnection, log: Log, change: (isConnected: boolean) => void) {
  for await (const status of nats.status()) {
    if (status.type === 'disconnect') {
      // Log: Checks by probes on other machines wait for ten seconds for the connection to return;
      // after that they are unknown.
      log.warn({ server: status.server }, 'The connection to NATS was lost.');
      change(false);
    } else if (status.type === 'reconnect') {
      // Log: Checks continue.
      log.info({ server: status.server }, 'The connection to NATS is back.');
      change(true);
    } else if (status.type === 'error') {
      // Log: Often a missing permission: docs/deployment.md lists the subjects that servers and
      // probes need.
      log.error({ error: reasonOf(status.error) }, 'NATS reports an error.');
    }
  }
}

/** It ends when it is closed here, and never by itself as long as the library keeps to its options. */
async function watchEnd(nats: NatsConnection, log: Log, change: (isConnected: boolean) => void) {
  const error = await nats.closed();
  change(false);
  if (error)
    // Log: Restart the process, and look at the log of the NATS server.
    log.error({ error: reasonOf(error) }, 'The connection to NATS ended.');
}

const WAIT_MS = 60_000;

async function connectWithRetry(
  connectOnce: () => Promise<NatsConnection>,
  { clock, log, waitMs = WAIT_MS }: { clock: Clock; log: Log; waitMs?: number },
): Promise<NatsConnection> {
  const endsAt = clock.monotonic() + waitMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await connectOnce();
    } catch (error) {
      const reason = reasonOf(error);
      if (clock.monotonic() >= endsAt || isRefusal(error))
        throw new BusUnavailable(`NATS_URL: no connection to NATS (${reason})`);
      // Log: Tocsin tries again each second, for a minute.
      log.warn({ attempt, reason }, 'Waiting for NATS.');
      await new Promise<void>((resolve) => clock.after(1_000, resolve));
    }
  }
}

/** Trying again would not help: the server or this client refuses the other, by what was set. */
function isRefusal(error: unknown): boolean {
  return /authoriz|authentic|nkey|creds|certificate|tls|ssl/i.test(reasonOf(error));
}

/** Messages of the library name servers and causes, never credentials. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function open(settings: NatsSettings, name: string): Promise<NatsConnection> {
  const options = optionsOf(settings, name);
  return settings.urls.some((url) => /^wss?:/.test(url)) ? wsconnect(options) : connect(options);
}

const ENCODER = new TextEncoder();

function optionsOf(settings: NatsSettings, name: string): ConnectionOptions {
  const { urls, credentials, nkey, tlsCa: ca, tlsCert: cert, tlsKey: key } = settings;
  const first = new URL(urls[0]!);
  const tls = {
    ...(ca !== null && { ca }),
    ...(cert !== null && { cert }),
    ...(key !== null && { key }),
  };
  const needsTls = urls.some((url) => url.startsWith('tls:')) || Object.keys(tls).length > 0;
  return {
    servers: urls.map(withoutUser),
    name,
    // A URL may hold the user and the password, which the library takes apart from it.
    ...(first.username !== '' && { user: decodeURIComponent(first.username) }),
    ...(first.password !== '' && { pass: decodeURIComponent(first.password) }),
    ...(credentials !== null && { authenticator: credsAuthenticator(ENCODER.encode(credentials)) }),
    ...(nkey !== null && { authenticator: nkeyAuthenticator(ENCODER.encode(nkey)) }),
    ...(needsTls && { tls }),
    maxReconnectAttempts: -1,
    // A server that starts anew may refuse for a moment, as one does that reads its users again.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    reconnectJitter: RECONNECT_JITTER_MS,
    reconnectJitterTLS: RECONNECT_JITTER_MS,
    pingInterval: PING_EVERY_MS,
    maxPingOut: MAX_PINGS_OUT,
    timeout: CONNECT_WITHIN_MS,
    // Only the servers that the operator named, and no address that one of them gives out.
    ignoreClusterUpdates: true,
  };
}

function withoutUser(url: string): string {
  const parsed = new URL(url);
  const isWebSocket = /^wss?:$/.test(parsed.protocol);
  return isWebSocket ? `${parsed.protocol}//${parsed.host}${parsed.pathname}` : parsed.host;
}
