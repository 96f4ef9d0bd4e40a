import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { clientOf } from '../identity/rate-limits.ts';
import { RateLimited } from '../resources/common/errors.ts';
import { errorAnswer } from './errors.ts';

const MIB = 1024 * 1024;

/** Smaller answers fit into the buffers of the system, and are not worth counting. */
const MIN_COUNTED_BYTES = 16 * 1024;
/** Texts from this size are handed to the network as bytes. */
const LARGE_BYTES = 256 * 1024;
/** Maximum bytes of answers that wait to be read, of all clients. */
const MAX_BYTES = 48 * MIB;
/** Maximum bytes of answers that wait to be read by one client; a single one is always sent. */
const MAX_CLIENT_BYTES = 8 * MIB;
/** A client that reads nothing of a large answer for this long is disconnected. */
const MAX_STILL_MS = 20_000;
/** The same for a file, whose next piece may take its time to be read from the database. */
const MAX_FILE_STILL_MS = 60_000;
/** Seconds after which a client that left too much unread may try again. */
const RETRY_SECONDS = 1;

/** Memory for the answers that were handed to the network and not yet read by their clients. */
type AnswerMemory = ReturnType<typeof createAnswerMemory>;

interface UnreadAnswer {
  address: string;
  socket: Socket;
  response: Pick<ServerResponse, 'once'>;
  bytes: number;
}

interface Held {
  client: string;
  socket: Socket;
  bytes: number;
}

export function createAnswerMemory() {
  /** Oldest first. */
  const answers = new Set<Held>();
  const unreadByClient = new Map<string, number>();
  let unread = 0;

  function add(client: string, bytes: number): void {
    unread += bytes;
    const left = (unreadByClient.get(client) ?? 0) + bytes;
    if (left === 0) unreadByClient.delete(client);
    else unreadByClient.set(client, left);
  }

  function remove(answer: Held): void {
    if (answers.delete(answer)) add(answer.client, -answer.bytes);
  }

  function makeRoom(bytes: number): void {
    for (const oldest of answers) {
      if (unread + bytes <= MAX_BYTES) return;
      remove(oldest);
      oldest.socket.destroy();
    }
  }

  return {
    /**
     * Counts an answer until it is read or its connection is closed. When all clients together leave too much unread, the
     * connections that have waited longest are closed.
     */
    hold({ address, socket, response, bytes }: UnreadAnswer) {
      makeRoom(bytes);
      const answer: Held = { client: clientOf(address), socket, bytes };
      answers.add(answer);
      add(answer.client, bytes);
      // An answer that waits behind others of its connection gets no event when that closes.
      const done = () => {
        socket.off('close', done);
        remove(answer);
      };
      socket.once('close', done);
      response.once('finish', done).once('close', done);
    },
    /** Whether a client leaves so much unread that an answer of that size has no room. */
    isFull(address: string, bytes: number) {
      if (unreadByClient.size === 0) return false;
      const left = unreadByClient.get(clientOf(address)) ?? 0;
      return left > 0 && left + bytes > MAX_CLIENT_BYTES;
    },
  };
}

/** Bounds what clients leave unread (contract 2.25). Only reading is refused: a change that was made is answered. */
export function boundAnswers(app: FastifyInstance, memory: AnswerMemory): void {
  // Before an answer is built, since building takes several times its size.
  app.addHook('preHandler', (request, _reply, done) => {
    const isRefused = request.method === 'GET' && memory.isFull(request.ip, MAX_CLIENT_BYTES / 2);
    done(isRefused ? tooMuchUnread() : undefined);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = sizeOf(payload);
    const { socket } = request.raw;
    // An injected request has no connection, and nothing of its answer waits.
    if (!(socket instanceof Socket)) return done();
    // Node closes the connection when nothing moves for that long, and sets its own limit after the answer.
    if (bytes === null) socket.setTimeout(MAX_FILE_STILL_MS);
    if (bytes === null || bytes < MIN_COUNTED_BYTES) return done();
    const { ip: address } = request;
    if (request.method === 'GET' && memory.isFull(address, bytes)) {
      const { status, headers, body } = errorAnswer(tooMuchUnread(), request.id);
      reply.code(status).headers(headers).removeHeader('content-encoding');
      reply.removeHeader('etag').type('application/json; charset=utf-8');
      return done(null, JSON.stringify(body));
    }
    socket.setTimeout(MAX_STILL_MS);
    memory.hold({ address, socket, response: reply.raw, bytes });
    // Node would join a text with the head, and copy both while they wait.
    done(
      null,
      typeof payload === 'string' && bytes >= LARGE_BYTES ? Buffer.from(payload) : payload,
    );
  });
}

/** Bytes of an answer; null for a file, which is sent in pieces. */
function sizeOf(payload: unknown): number | null {
  if (typeof payload === 'string')
    return payload.length < MIN_COUNTED_BYTES / 4 ? payload.length : Buffer.byteLength(payload);
  if (Buffer.isBuffer(payload)) return payload.length;
  return payload === null || payload === undefined ? 0 : null;
}

function tooMuchUnread(): RateLimited {
  return new RateLimited(
    0,
    RETRY_SECONDS,
    'Your address has more than 8 MiB of answers that it did not read',
  );
}
