import { connect as openSocket, type OnReadOpts, type Socket } from 'node:net';
import { afterPendingEvents, type Clock, type Timer } from '../lib/clock.ts';
import type { Failure } from '../model/failure.ts';
import type { ResolvedAddress } from '../net/host.ts';
import { canReach, type Resolver } from '../net/resolver.ts';
import {
  connectFailure,
  endpoint,
  failure,
  seconds,
  shutdownFailure,
  voteOf,
  type SystemError,
} from './failures.ts';
import type { AddressFailure, DualStackCheck } from './dual-stack.ts';
import { createStop, isShutdown, type Stop } from './contract.ts';

/**
 * A TCP connection, or why there is none. `milliseconds` is the duration of the successful attempt, `address` the one
 * connected to or tried last; null if none was tried.
 */
export type Connection =
  | { ok: true; socket: Socket; address: string; milliseconds: number }
  | {
      ok: false;
      failure: Failure;
      address: string | null;
      /**
       * Set if the connection was established and reset before this process noticed: duration of the attempt in
       * milliseconds. A reset during the handshake would be a refusal (RFC 9293, section 3.10.7.3).
       */
      resetAfterMs?: number;
    };

interface ConnectRequest {
  addresses: ResolvedAddress[];
  /** Whether the host may have more addresses, whose lookup failed. */
  isPartial?: boolean;
  port: number;
  /** Time limit of the whole check, for failure texts. */
  timeoutMs: number;
  /** Monotonic time of the deadline; the time left is divided between the addresses. */
  deadline: number;
  /** Reads into a buffer of the caller's; by default the socket emits `data`. */
  onread?: OnReadOpts;
}

interface ConnectContext {
  clock: Clock;
  resolver: Pick<Resolver, 'hasNetwork'>;
  stop: Stop;
  /** Called when the SYN is sent. */
  onSend?(): void;
  families?: DualStackCheck;
}

const MAX_ATTEMPTS = 4;
/** Maximum time per address, except the last: enough for two retransmitted SYNs (after 1 s and 3 s). */
const MAX_ATTEMPT_MS = 3_500;
/** A check in overtime has none left by its deadline; the caller ends it. */
const MIN_ATTEMPT_MS = 100;
/**
 * Start of the ephemeral port range on Linux (net.ipv4.ip_local_port_range). Below it the local port is not read, which
 * costs time.
 */
const FIRST_EPHEMERAL_PORT = 32_768;

/**
 * Connects to the first address that accepts, one after the other. If none does, the failure is that of the first
 * address that says something about the target rather than the local network. Leaves only the returned socket open.
 */
export async function connect(
  request: ConnectRequest,
  context: ConnectContext,
): Promise<Connection> {
  const addresses = addressesToTry(request.addresses, context.resolver);
  const failures: AddressFailure[] = [];
  for (const [index, address] of addresses.entries()) {
    const connection = await attempt(address, addresses.length - index, request, context);
    if (connection.ok || isReset(connection)) {
      watchOtherFamily(address, failures, request, context);
      return connection;
    }
    failures.push({ address, failure: connection.failure });
    if (context.stop.signal.aborted) break;
  }
  const relevant = failures.find(({ failure: { code } }) => voteOf(code) === 'down') ?? failures[0];
  return {
    ok: false,
    failure: relevant?.failure ?? shutdownFailure(),
    address: failures.at(-1)?.address.address ?? null,
  };
}

function isReset(connection: Connection & { ok: false }): boolean {
  return connection.resetAfterMs !== undefined;
}

/**
 * The first addresses, including one of the other family: many dead addresses of one family must not hide a live one.
 */
function addressesToTry(
  addresses: ResolvedAddress[],
  { hasNetwork }: Pick<Resolver, 'hasNetwork'>,
): ResolvedAddress[] {
  const first = addresses.slice(0, MAX_ATTEMPTS);
  const family = first[0]?.family;
  if (first.some((address) => address.family !== family)) return first;
  const other = addresses.find(
    (address) => address.family !== family && canReach(address, hasNetwork),
  );
  return other === undefined ? first : [...first.slice(0, MAX_ATTEMPTS - 1), other];
}

function watchOtherFamily(
  used: ResolvedAddress,
  failures: AddressFailure[],
  { addresses, isPartial = false, port }: ConnectRequest,
  { clock, resolver, families }: ConnectContext,
): void {
  families?.reached({
    addresses,
    isPartial,
    used,
    failures,
    async tryAddress(other, signal, timeoutMs) {
      const stop = createStop(signal);
      const deadline = clock.monotonic() + timeoutMs;
      const request = { addresses: [other], port, timeoutMs, deadline, onread: DISCARD };
      const connection = await attempt(other, 1, request, { clock, resolver, stop });
      stop.release();
      if (!connection.ok) return isReset(connection) ? null : connection.failure;
      connection.socket.end(() => connection.socket.destroy());
      return null;
    },
  });
}

function attempt(
  target: ResolvedAddress,
  remainingAddresses: number,
  request: ConnectRequest,
  { clock, resolver, stop, onSend }: ConnectContext,
): Promise<Connection> {
  const { port, timeoutMs, onread } = request;
  return new Promise((resolve) => {
    const startedAt = clock.monotonic();
    let timer: Timer | null = null;
    let settled = false;
    const socket = openSocket({
      host: target.address,
      port,
      autoSelectFamily: false,
      ...(onread !== undefined && { onread }),
    });
    const settle = (connection: Connection): void => {
      if (settled) return;
      settled = true;
      stop.onAbort(null);
      if (timer !== null) clock.clear(timer);
      if (!connection.ok) socket.destroy();
      resolve(connection);
    };
    const fail = (reason: Failure) =>
      settle({ ok: false, failure: reason, address: target.address });
    const onConnect = (): void => {
      const milliseconds = clock.monotonic() - startedAt;
      if (isConnectedToItself(socket, port)) {
        onError(Object.assign(new Error('self-connect'), { code: 'ECONNREFUSED' }));
      } else settle({ ok: true, socket, address: target.address, milliseconds });
    };
    const onError = (error: SystemError): void => {
      const reason = connectFailure(error, target, port, resolver.hasNetwork);
      if (error.code !== 'ECONNRESET') return fail(reason);
      const resetAfterMs = clock.monotonic() - startedAt;
      settle({ ok: false, failure: reason, address: target.address, resetAfterMs });
    };
    const giveUp = (afterMs: number) =>
      fail(
        failure(
          'connection_timeout',
          `Connection to ${endpoint(target.address, port)} timed out after ${seconds(afterMs)}`,
        ),
      );

    if (onSend !== undefined) socket.once('connectionAttempt', onSend);
    socket.on('connect', onConnect);
    // Never removed: a socket that breaks before its next owner listens would end the process.
    socket.on('error', onError);
    if (remainingAddresses > 1) {
      const evenly = (request.deadline - startedAt) / remainingAddresses;
      const share = Math.max(MIN_ATTEMPT_MS, Math.min(evenly, MAX_ATTEMPT_MS));
      timer = clock.after(share, () => afterPendingEvents(clock, () => giveUp(share)));
    }
    stop.onAbort(() => (isShutdown(stop.signal) ? fail(shutdownFailure()) : giveUp(timeoutMs)));
  });
}

/**
 * Whether the socket is connected to itself: TCP allows this (simultaneous open) if its ephemeral port happens to be
 * the target port on the same machine, although nothing listens there.
 */
function isConnectedToItself(socket: Socket, port: number): boolean {
  return (
    port >= FIRST_EPHEMERAL_PORT &&
    socket.localPort === port &&
    socket.localAddress === socket.remoteAddress
  );
}

/**
 * Reads of a plain connection, all into one buffer of this process: allocating 64 KiB for each read takes longer than
 * the read. A chunk is only valid until the receiver returns.
 */
export type Incoming = ReturnType<typeof createIncoming>;

const READ_BYTES = 64 * 1024;
/** On Windows the system fills a buffer in the background, so that connections can't share one. */
const isShareable = process.platform !== 'win32';
let shared: Buffer | null = null;

export function createIncoming() {
  const buffer = isShareable ? (shared ??= allocate()) : allocate();
  let receiver: ((chunk: Buffer) => void) | null = null;
  return {
    onread: {
      buffer,
      callback(bytes) {
        // Without a receiver the connection is of no use: its owner closes it unread.
        receiver?.(buffer.subarray(0, bytes));
        return true;
      },
    } satisfies OnReadOpts,
    /** Sets the receiver, before the event loop can deliver the first read. */
    receive(next: (chunk: Buffer) => void) {
      receiver = next;
    },
  };
}

function allocate(): Buffer {
  return Buffer.allocUnsafeSlow(READ_BYTES);
}

export const DISCARD: OnReadOpts = createIncoming().onread;
