import type { Family } from '../../net/host.ts';
import { parseMessage, parseQuotedEcho, stripIpv4Header, type IcmpMessage } from './packet.ts';

/**
 * ICMP sockets, opened through koffi since Node has none: one per address family, each a datagram socket if the system
 * allows it (`net.ipv4.ping_group_range`), else a raw one (root or CAP_NET_RAW).
 */
export interface IcmpTransport {
  /** Why there is no socket of that family, as a sentence; null if there is one. */
  unable(family: Family): string | null;
  /** Addresses have 4 or 16 bytes. */
  send(family: Family, destination: Uint8Array, packet: Uint8Array): SendOutcome;
  /** Next waiting message, `foreign` if it can't be ours, null if none waits. */
  receive(): Arrival | 'foreign' | null;
  /** Waits for a message, up to that long. False if waiting itself failed. */
  ready(milliseconds: number): Promise<boolean>;
  close(): void;
}

export type SendOutcome =
  | { kind: 'sent' }
  /** The kernel's queue is full: try again shortly. */
  | { kind: 'busy' }
  /** This machine's routing table has no route to the address. */
  | { kind: 'no_route' }
  | { kind: 'unreachable' }
  | { kind: 'failed'; reason: string };

const SENT: SendOutcome = { kind: 'sent' };

/** A message, valid until the next one is received. */
export interface Arrival {
  family: Family;
  /** Sender of the message, 4 or 16 bytes; for the error queue, the destination of the echo. */
  source: Uint8Array;
  message: IcmpMessage;
}

// Linux constants, the same on x64 and arm64.
const AF = { 4: 2, 6: 10 } as const;
const PROTOCOL = { 4: 1, 6: 58 } as const;
const SOCK_DGRAM = 2;
const SOCK_RAW = 3;
const SOCK_NONBLOCK_CLOEXEC = 0o2004000;
const SOL_SOCKET = 1;
const SO_RCVBUF = 8;
const SO_RCVBUFFORCE = 33;
const SOL_RAW = 255;
const ICMP_FILTER = 1;
const RECVERR = { 4: { level: 0, option: 11 }, 6: { level: 41, option: 25 } } as const;
const MSG_ERRQUEUE = 0x2000;
const POLLIN = 1;
const POLLERR = 8;
/** Bytes of a `struct pollfd`: the descriptor (32 bits), the events wanted and those returned (16 bits each). */
const POLLFD_BYTES = 8;
/** One of each family. */
const MAX_SOCKETS = 2;
/** Position of the address in a `sockaddr_in` and a `sockaddr_in6`. */
const ADDRESS_AT = { 4: 4, 6: 8 } as const;
const EPERM = 1;
const EINTR = 4;
const EAGAIN = 11;
const EACCES = 13;
const ENOBUFS = 105;
const EHOSTUNREACH = 113;
const NO_ROUTE = new Set([99 /* EADDRNOTAVAIL */, 101 /* ENETUNREACH */]);
const NO_FAMILY = new Set([93 /* EPROTONOSUPPORT */, 97 /* EAFNOSUPPORT */]);
const RECEIVE_BUFFER_BYTES = 1 << 20;

interface Libc {
  socket(family: number, type: number, protocol: number): number;
  setsockopt(fd: number, level: number, option: number, value: Uint8Array, length: number): number;
  sendto(
    fd: number,
    packet: Uint8Array,
    length: number,
    flags: number,
    address: Uint8Array,
    addressLength: number,
  ): number;
  recvfrom(
    fd: number,
    buffer: Uint8Array,
    length: number,
    flags: number,
    address: Uint8Array,
    addressLength: Uint32Array,
  ): number;
  close(fd: number): number;
  /** Waits for events of the descriptors; rejects never. Returns those of each, or null if it failed. */
  poll(fds: readonly number[], milliseconds: number): Promise<number[] | null>;
  errno(): number;
}

interface Socket {
  fd: number;
  family: Family;
  raw: boolean;
  /** Whether the error queue of a datagram socket may hold errors. */
  mayHaveErrors: boolean;
  /** `sockaddr_in` or `sockaddr_in6` of the next packet. */
  address: Uint8Array;
}

/**
 * Opens the sockets that this process is permitted to open. Rejects, with a sentence, if ICMP is temporarily
 * unavailable; `unable` reports permanent refusals.
 */
export async function openIcmpTransport(): Promise<IcmpTransport> {
  const libc = await loadLibc();
  const opened = { 4: openSocket(libc, 4), 6: openSocket(libc, 6) };
  const sockets = Object.values(opened).filter((socket) => typeof socket !== 'string');
  const buffer = new Uint8Array(2048);
  const sender = new Uint8Array(28);
  const senderLength = new Uint32Array(1);
  const sources = { 4: sender.subarray(4, 8), 6: sender.subarray(8, 24) };

  function receiveFrom(socket: Socket, flags: number): Arrival | 'foreign' | null {
    senderLength[0] = sender.length;
    const length = libc.recvfrom(socket.fd, buffer, buffer.length, flags, sender, senderLength);
    if (length < 0) return nothingFrom(socket, flags);
    const { family } = socket;
    const source = sources[family];
    const bytes = buffer.subarray(0, length);
    const message = flags === 0 ? parse(socket, bytes) : quotedError(family, source, bytes);
    return message ? { family, source, message } : 'foreign';
  }

  function nothingFrom(socket: Socket, flags: number): 'foreign' | null {
    if (flags !== 0) socket.mayHaveErrors = false;
    if (flags !== 0 || libc.errno() === EAGAIN) return null;
    // A datagram socket reports the error of an earlier echo here, and once more in its error queue.
    socket.mayHaveErrors = !socket.raw;
    return 'foreign';
  }

  return {
    unable: (family) => {
      const socket = opened[family];
      return typeof socket === 'string' ? socket : null;
    },
    send(family, destination, packet) {
      const socket = opened[family];
      if (typeof socket === 'string') return { kind: 'failed', reason: socket };
      const { address } = socket;
      for (let at = 0; at < destination.length; at++)
        address[ADDRESS_AT[family] + at] = destination[at]!;
      let errno = 0;
      // Try twice: the first call may report the error of an earlier echo to another host.
      for (let attempt = 0; attempt < 2; attempt++) {
        if (libc.sendto(socket.fd, packet, packet.length, 0, address, address.length) >= 0)
          return SENT;
        errno = libc.errno();
        socket.mayHaveErrors = !socket.raw;
        if (errno === EAGAIN || errno === ENOBUFS || errno === EINTR) return { kind: 'busy' };
      }
      if (errno === EHOSTUNREACH) return { kind: 'unreachable' };
      if (NO_ROUTE.has(errno)) return { kind: 'no_route' };
      return { kind: 'failed', reason: sendReason(errno) };
    },
    receive() {
      for (const socket of sockets) {
        const error = socket.mayHaveErrors ? receiveFrom(socket, MSG_ERRQUEUE) : null;
        const arrival = error ?? receiveFrom(socket, 0);
        if (arrival !== null) return arrival;
      }
      return null;
    },
    ready: async (milliseconds) => {
      const events = await libc.poll(
        sockets.map((socket) => socket.fd),
        milliseconds,
      );
      for (const [index, socket] of sockets.entries())
        socket.mayHaveErrors ||= !socket.raw && ((events?.[index] ?? 0) & POLLERR) !== 0;
      return events !== null;
    },
    close() {
      for (const socket of sockets) libc.close(socket.fd);
    },
  };
}

/** Opens a socket, or returns why there is none. Throws for temporary errors, such as too many open files. */
function openSocket(libc: Libc, family: Family): Socket | string {
  let raw = false;
  let fd = libc.socket(AF[family], SOCK_DGRAM | SOCK_NONBLOCK_CLOEXEC, PROTOCOL[family]);
  if (fd < 0 && !NO_FAMILY.has(libc.errno())) {
    raw = true;
    fd = libc.socket(AF[family], SOCK_RAW | SOCK_NONBLOCK_CLOEXEC, PROTOCOL[family]);
  }
  if (fd < 0) {
    const errno = libc.errno();
    if (errno === EACCES || errno === EPERM)
      return 'This probe may not open ICMP sockets: allow them by net.ipv4.ping_group_range or CAP_NET_RAW';
    if (NO_FAMILY.has(errno)) return `IPv${family} is switched off on the machine of this probe`;
    throw new Error(`This probe could not open an ICMP socket (errno ${errno})`);
  }
  const set = (level: number, option: number, value: Uint8Array) =>
    libc.setsockopt(fd, level, option, value, value.length) === 0;
  const size = uint32(RECEIVE_BUFFER_BYTES);
  if (!set(SOL_SOCKET, SO_RCVBUFFORCE, size)) set(SOL_SOCKET, SO_RCVBUF, size);
  if (!raw) set(RECVERR[family].level, RECVERR[family].option, uint32(1));
  else if (family === 4) set(SOL_RAW, ICMP_FILTER, allBut([0, 3], 1));
  else set(PROTOCOL[6], ICMP_FILTER, allBut([1, 129], 8));
  return { fd, family, raw, mayHaveErrors: false, address: socketAddress(family) };
}

async function loadLibc(): Promise<Libc> {
  if (process.platform !== 'linux')
    throw new Error('ICMP sockets of this probe work on Linux only');
  const { default: koffi } = await import('koffi').catch((error: unknown) => {
    throw new Error(`koffi, which opens ICMP sockets, could not be loaded (${String(error)})`);
  });
  const musl = `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`;
  const lib = ((name: string) => {
    try {
      return koffi.load(name);
    } catch {
      return koffi.load(musl);
    }
  })('libc.so.6');
  const poll = lib.func('int poll(void *, ulong, int)');
  // Outside the heap of JavaScript, which may move an array while the other thread waits.
  const pollfds = koffi.alloc('uint8_t', MAX_SOCKETS * POLLFD_BYTES);
  const polled = new DataView(koffi.view(pollfds, MAX_SOCKETS * POLLFD_BYTES));
  return {
    socket: lib.func('int socket(int, int, int)'),
    setsockopt: lib.func('int setsockopt(int, int, int, const void *, uint)'),
    sendto: lib.func('long sendto(int, const void *, size_t, int, const void *, uint)'),
    recvfrom: lib.func('long recvfrom(int, void *, size_t, int, void *, void *)'),
    close: lib.func('int close(int)'),
    poll: (fds, milliseconds) =>
      new Promise((resolve) => {
        for (const [index, fd] of fds.entries()) {
          polled.setInt32(index * POLLFD_BYTES, fd, true);
          polled.setInt32(index * POLLFD_BYTES + 4, POLLIN, true);
        }
        poll.async(pollfds, fds.length, milliseconds, (error: unknown, count: number) =>
          resolve(error || count < 0 ? null : fds.map((_, index) => eventsOf(polled, index))),
        );
      }),
    errno: () => koffi.errno(),
  };
}

/** Events returned for a descriptor. */
function eventsOf(pollfds: DataView, index: number): number {
  return pollfds.getInt16(index * POLLFD_BYTES + 6, true);
}

function parse(socket: Socket, bytes: Uint8Array): IcmpMessage | null {
  const body = socket.raw && socket.family === 4 ? stripIpv4Header(bytes) : bytes;
  return body && parseMessage(socket.family, body);
}

/** Parses our own echo from the error queue. The error's code is in control data, which is not fetched. */
function quotedError(
  family: Family,
  destination: Uint8Array,
  bytes: Uint8Array,
): IcmpMessage | null {
  const echo = parseQuotedEcho(family, bytes);
  return echo && { kind: 'unreachable', code: null, destination, ...echo };
}

/** A `sockaddr_in` or `sockaddr_in6` without its address. */
function socketAddress(family: Family): Uint8Array {
  const bytes = new Uint8Array(family === 4 ? 16 : 28);
  bytes[0] = AF[family];
  return bytes;
}

/** Kernel filter in which a set bit drops that ICMP type. */
function allBut(types: number[], words: number): Uint8Array {
  const filter = new Uint32Array(words).fill(0xffffffff);
  for (const type of types) filter[type >> 5]! &= ~(1 << (type & 31));
  return new Uint8Array(filter.buffer);
}

function uint32(value: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(value).buffer);
}

function sendReason(errno: number): string {
  if (errno === EPERM || errno === EACCES) return 'the system of this probe does not permit it';
  return `the system of this probe refused it (errno ${errno})`;
}
