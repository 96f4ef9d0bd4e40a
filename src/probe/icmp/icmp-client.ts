import { randomBytes, randomFillSync } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Family } from '../../net/host.ts';
import {
  ECHO_BYTES,
  TOKEN_BYTES,
  unreachableReason,
  writeEcho,
  type IcmpMessage,
} from './packet.ts';
import { openIcmpTransport, type Arrival, type IcmpTransport } from './socket.ts';

export type EchoOutcome =
  | { kind: 'reply'; roundTripMs: number }
  /** A router, or this machine, reports that the host can't be reached. The reason is null if none is given. */
  | { kind: 'unreachable'; reason: string | null }
  /** It was sent, and the caller gave up before a reply arrived. */
  | { kind: 'silent' }
  /** This machine's routing table has no route to the address. */
  | { kind: 'no_route' }
  /** No echo can be sent; the reason is a sentence. */
  | { kind: 'unable'; reason: string };

/** An echo that was sent, or will be once the sockets are open. */
export interface Echo {
  /** Settles it, as `silent` unless a reply waits to be read or it was never sent. Does nothing once it has settled. */
  giveUp(): void;
}

export type IcmpClient = ReturnType<typeof createIcmpClient>;

interface IcmpDeps {
  clock: Clock;
  log: Log;
  openTransport?: () => Promise<IcmpTransport>;
}

/** An echo that was sent, or will be when the kernel's queue has room. */
interface Waiting {
  family: Family;
  destination: Uint8Array;
  sequence: number;
  token: Uint8Array;
  /** Monotonic time in milliseconds of the last attempt to send it. */
  sentAt: number;
  isSent: boolean;
  settle(outcome: EchoOutcome): void;
}

/** Maximum duration of a poll, which delays the end of the process. */
const POLL_SLICE_MS = 250;
/** Maximum number of messages read at once, so that a flood can't block the event loop. */
const DRAIN_LIMIT = 4096;
const RESEND_MS = 5;
const SEQUENCES = 0x10000;

/**
 * Sends all echoes of this process over one socket per family. The sockets open at the first echo; while echoes are
 * pending, one poll on a pool thread waits for both sockets, otherwise nothing runs. Deadlines are the callers', so a
 * poll never delays them.
 */
export function createIcmpClient({ clock, log, openTransport = openIcmpTransport }: IcmpDeps) {
  const waiting = new Map<number, Waiting>();
  const nextToken = createTokens();
  const parse = createAddressParser();
  /** Packet being sent, which the kernel copies. */
  const packet = new Uint8Array(ECHO_BYTES);
  const identifier = randomBytes(2).readUInt16BE();
  let nextSequence = randomBytes(2).readUInt16BE();
  let opening: Promise<IcmpTransport> | null = null;
  let opened: IcmpTransport | null = null;
  let polling: Promise<void> | null = null;
  let closed = false;

  /** Sends one echo to an address literal, and calls `settle` once: possibly before it returns. */
  function echo(address: string, settle: Waiting['settle']): Echo {
    const target = parse(address);
    if (!target) return refuse(`There is no ICMP socket for ${address}`, settle);
    // Waiting for what is there would cost as much as the rest.
    return opened === null ? echoOnceOpen(target, settle) : begin(opened, target, settle);
  }

  function echoOnceOpen(target: AddressBytes, settle: Waiting['settle']): Echo {
    let begun: Echo | null = null;
    let isOver = false;
    const start = async () => {
      try {
        const transport = await open();
        if (!isOver) begun = begin(transport, target, settle);
      } catch (error) {
        if (!isOver) refuse((error as Error).message, settle);
      }
    };
    void start();
    return {
      giveUp() {
        if (begun !== null) return begun.giveUp();
        if (!isOver) settle(NOT_SENT);
        isOver = true;
      },
    };
  }

  /** Opens the transport. A permanent refusal is remembered; after a temporary failure the next echo tries again. */
  function open(): Promise<IcmpTransport> {
    opening ??= openTransport().then(
      (transport) => {
        for (const family of [4, 6] as const) {
          const reason = transport.unable(family);
          if (reason !== null)
            // Log: Monitors of type `ping` are unknown for this family of addresses (4 or 6).
            log.warn({ family, reason }, 'ICMP echoes can not be sent.');
        }
        return (opened = transport);
      },
      (error: unknown) => {
        opening = null;
        throw error;
      },
    );
    return opening;
  }

  function begin(
    transport: IcmpTransport,
    { family, bytes }: AddressBytes,
    settle: Waiting['settle'],
  ): Echo {
    const reason = closed ? 'This probe is shutting down' : transport.unable(family);
    if (reason !== null) return refuse(reason, settle);
    const sequence = freeSequence();
    if (sequence === null) return refuse('This probe has too many pings under way', settle);
    // Raw sockets receive the replies to all processes' echoes: discard those from idle times, which fill the buffer.
    if (waiting.size === 0) drain(transport);
    const token = nextToken();
    const entry: Waiting = {
      family,
      destination: bytes,
      sequence,
      token,
      sentAt: 0,
      isSent: false,
      settle,
    };
    waiting.set(sequence, entry);
    send(transport, entry);
    if (waiting.size > 0) polling ??= pollWhileWaiting(transport).finally(() => (polling = null));
    return {
      giveUp() {
        if (waiting.get(sequence) !== entry) return;
        // Replies that arrived while this process was busy still count.
        drain(transport);
        end(entry, entry.isSent ? { kind: 'silent' } : NOT_SENT);
      },
    };
  }

  function send(transport: IcmpTransport, entry: Waiting): void {
    if (waiting.get(entry.sequence) !== entry) return;
    const { family, sequence, token } = entry;
    writeEcho(packet, family, { identifier, sequence, token });
    entry.sentAt = clock.monotonic();
    const outcome = transport.send(family, entry.destination, packet);
    if (outcome.kind === 'sent') entry.isSent = true;
    else if (outcome.kind === 'busy') clock.after(RESEND_MS, () => send(transport, entry));
    else if (outcome.kind === 'no_route') end(entry, outcome);
    else if (outcome.kind === 'unreachable') end(entry, { kind: 'unreachable', reason: null });
    else end(entry, { kind: 'unable', reason: `A ping could not be sent: ${outcome.reason}` });
  }

  function end(entry: Waiting, outcome: EchoOutcome): void {
    if (waiting.get(entry.sequence) !== entry) return;
    waiting.delete(entry.sequence);
    entry.settle(outcome);
  }

  async function pollWhileWaiting(transport: IcmpTransport): Promise<void> {
    while (waiting.size > 0) {
      const sound = await transport.ready(POLL_SLICE_MS);
      drain(transport);
      if (!sound) await new Promise<void>((resolve) => void clock.after(RESEND_MS, resolve));
    }
  }

  function drain(transport: IcmpTransport): void {
    for (let count = 0; count < DRAIN_LIMIT; count++) {
      const arrival = transport.receive();
      if (!arrival) return;
      if (arrival === 'foreign') continue;
      const entry = waiting.get(arrival.message.sequence);
      if (entry && matches(arrival, entry)) end(entry, outcomeOf(arrival, entry));
    }
  }

  function matches({ family, source, message }: Arrival, entry: Waiting): boolean {
    if (family !== entry.family) return false;
    if (message.kind === 'reply')
      return equal(message.token, entry.token) && equal(source, entry.destination);
    if (!equal(message.destination, entry.destination)) return false;
    // Routers only have to quote the ICMP header, which contains our identifier on raw sockets.
    return message.token ? equal(message.token, entry.token) : message.identifier === identifier;
  }

  function outcomeOf(
    { family, message }: { family: Family; message: IcmpMessage },
    entry: Waiting,
  ): EchoOutcome {
    if (message.kind === 'reply')
      return { kind: 'reply', roundTripMs: clock.monotonic() - entry.sentAt };
    const { code } = message;
    return { kind: 'unreachable', reason: code === null ? null : unreachableReason(family, code) };
  }

  function freeSequence(): number | null {
    if (waiting.size >= SEQUENCES) return null;
    do nextSequence = (nextSequence + 1) % SEQUENCES;
    while (waiting.has(nextSequence));
    return nextSequence;
  }

  return {
    echo,
    async close() {
      closed = true;
      for (const entry of waiting.values()) end(entry, { kind: 'silent' });
      await polling;
      const transport = await opening?.catch(() => null);
      transport?.close();
      opening = null;
      opened = null;
    },
  };
}

const NO_ECHO: Echo = { giveUp() {} };
const NOT_SENT: EchoOutcome = {
  kind: 'unable',
  reason: 'No ping could be sent in time: the probe or its network queue was too busy',
};

function refuse(reason: string, settle: Waiting['settle']): Echo {
  settle({ kind: 'unable', reason });
  return NO_ECHO;
}

const POOL_BYTES = 256 * TOKEN_BYTES;

/** Creates unguessable tokens, many at a time: a call of the generator costs more than its bytes. */
function createTokens(): () => Uint8Array {
  let pool = new Uint8Array(0);
  let used = 0;
  return () => {
    if (used === pool.length) {
      // A new one: echoes that wait hold parts of the last.
      pool = randomFillSync(new Uint8Array(POOL_BYTES));
      used = 0;
    }
    return pool.subarray(used, (used += TOKEN_BYTES));
  };
}

interface AddressBytes {
  family: Family;
  bytes: Uint8Array;
}

/** Addresses whose bytes are kept: parsing takes as long as sending. */
const MAX_PARSED = 10_000;

/** Parses address literals; null for anything else. */
function createAddressParser(): (address: string) => AddressBytes | null {
  const parsed = new Map<string, AddressBytes>();
  return (address) => {
    const known = parsed.get(address);
    if (known !== undefined) return known;
    const found = bytesOf(address);
    if (parsed.size === MAX_PARSED) parsed.clear();
    if (found !== null) parsed.set(address, found);
    return found;
  };
}

function bytesOf(address: string): AddressBytes | null {
  // Zone ids refer to interfaces of this machine, which the ping program knows.
  if (!ipaddr.isValid(address) || address.includes('%')) return null;
  const parsed = ipaddr.process(address);
  return { family: parsed.kind() === 'ipv4' ? 4 : 6, bytes: Uint8Array.from(parsed.toByteArray()) };
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
