import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../identity/caller.ts';
import type { Timer } from '../lib/clock.ts';
import { Problem } from '../resources/common/errors.ts';
import type { EventConnection, EventStream } from '../resources/common/event-stream.ts';
import { authorizeRoute, type Route } from '../resources/common/operation.ts';
import { noteOpened } from './answered.ts';
import type { ApiDeps } from './deps.ts';

/** Proxies and browsers take a connection without bytes for dead after 30 s or more. */
const KEEP_ALIVE_MS = 15_000;
/** With the cache of callers (identity/authenticate.ts) a revoked access ends within 10 s. */
const AUTHENTICATE_MS = 5_000;
/** Bytes of one connection that wait in memory to be read, beyond which further texts are held back. */
const MAX_UNREAD_BYTES = 256 * 1024;
/** Length of the texts that are held back, most of which streams of a team share. Slower clients are disconnected. */
const MAX_HELD_LENGTH = 8 * 1024 * 1024;
/** A client that reads nothing of what waits for this long is disconnected. */
const MAX_STILL_MS = 20_000;

export type EventStreams = ReturnType<typeof createEventStreams>;

export function createEventStreams(deps: Pick<ApiDeps, 'authenticator' | 'plans' | 'clock'>) {
  const { clock } = deps;
  const open = new Set<() => void>();
  let isDraining = false;

  return {
    /** Answers a request with a stream that stays open until its client leaves or loses its access. */
    send(
      request: FastifyRequest,
      reply: FastifyReply,
      { stream, access }: { stream: EventStream; access: Pick<Route, 'needs' | 'role'> },
    ) {
      if (isDraining) {
        stream.cancel();
        throw new Problem('busy', 'Tocsin is stopping: connect again in a few seconds.');
      }
      reply.type('text/event-stream; charset=utf-8').headers(STREAM_HEADERS);
      if (request.method === 'HEAD') {
        stream.cancel();
        return reply.send('');
      }
      // Sent by hand, as the framework would wait for the end.
      reply.hijack();
      noteOpened(request, reply);
      const { raw } = reply;
      raw.writeHead(200, reply.getHeaders() as Record<string, string>);
      const timers = new Set<() => void>();
      const every = (milliseconds: number, run: () => void) =>
        repeat(clock, milliseconds, run, timers);
      let connection: EventConnection | null = null;
      const end = () => {
        if (!open.delete(end)) return;
        for (const stop of timers) stop();
        connection?.close();
        endNow(raw);
      };
      open.add(end);
      raw.once('close', end).once('error', end);
      const writer = createWriter(raw, { clock, onTooSlow: end });
      connection = stream.connect(writer.write);
      // What waited may have been too much for the client already.
      if (!open.has(end)) {
        connection.close();
        return reply;
      }
      every(KEEP_ALIVE_MS, () => connection?.keepAlive());
      every(AUTHENTICATE_MS, () => {
        void isStillAllowed(request, access, deps).then((isAllowed) => isAllowed || end());
      });
      // The client may be gone already.
      if (raw.destroyed) end();
      return reply;
    },
    /** Ends all streams, and refuses new ones: their clients connect to another process, or to this one after its restart. */
    drain() {
      isDraining = true;
      for (const end of open) end();
    },
  };
}

const STREAM_HEADERS = {
  // nginx would collect events before it passes them on.
  'x-accel-buffering': 'no',
  // The connection ends with the stream, so that it does not delay a shutdown.
  connection: 'close',
};

function repeat(
  clock: ApiDeps['clock'],
  milliseconds: number,
  run: () => void,
  timers: Set<() => void>,
): void {
  let timer: Timer | null = null;
  const next = () => {
    timer = clock.after(milliseconds, () => {
      next();
      run();
    });
  };
  next();
  timers.add(() => clock.clear(timer));
}

function endNow(raw: ServerResponse): void {
  if (raw.writableLength === 0) raw.end();
  else raw.destroy();
}

function createWriter(
  raw: ServerResponse,
  { clock, onTooSlow }: { clock: ApiDeps['clock']; onTooSlow: () => void },
): { write: (text: string) => void } {
  const held: string[] = [];
  let heldLength = 0;
  let stillTimer: Timer | null = null;

  function flush(): void {
    while (held.length > 0 && raw.writableLength < MAX_UNREAD_BYTES) {
      const text = held.shift()!;
      heldLength -= text.length;
      raw.write(text);
    }
  }

  raw.on('drain', () => {
    clock.clear(stillTimer);
    stillTimer = null;
    flush();
    watch();
  });
  raw.once('close', () => clock.clear(stillTimer));

  function watch(): void {
    if (raw.writableNeedDrain) stillTimer ??= clock.after(MAX_STILL_MS, onTooSlow);
  }

  return {
    write(text) {
      if (raw.destroyed || raw.writableEnded) return;
      held.push(text);
      heldLength += text.length;
      flush();
      watch();
      if (heldLength > MAX_HELD_LENGTH) onTooSlow();
    },
  };
}

/** Whether the request would still be allowed. An error of the store proves nothing: the next time decides. */
async function isStillAllowed(
  request: FastifyRequest,
  access: Pick<Route, 'needs' | 'role'>,
  { authenticator, plans }: Pick<ApiDeps, 'authenticator' | 'plans'>,
): Promise<boolean> {
  const { authorization, cookie } = request.headers;
  const before = request.principal;
  let now: Principal | null;
  try {
    now = await authenticator.authenticate({ authorization, cookie, address: request.ip });
  } catch {
    return true;
  }
  // Another role sees other events; the client connects again with it.
  if (now === null || now.team?.id !== before?.team?.id || now.role !== before?.role) return false;
  try {
    authorizeRoute(access, now, plans);
    return true;
  } catch {
    return false;
  }
}
