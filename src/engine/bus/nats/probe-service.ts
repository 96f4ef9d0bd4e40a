import { waitAtMost, type Clock, type Timer } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import { unknownResult } from '../../../model/check.ts';
import type { ProbeLoad } from '../../../model/probe-load.ts';
import type { ProbeAnswer, ProbeRequest } from '../../../probe/agent/child.ts';
import { writeAnswer } from './answers.ts';
import type { BusConnection } from './connection.ts';
import {
  missingNeed,
  parseBatch,
  PRESENCE_EVERY_MS,
  PROTOCOL,
  UNDER_WAY_EVERY_MS,
  answerSubject,
  batchOf,
  checkSubject,
  directSubject,
  nodeOf,
  presenceSubject,
  PROBE_QUEUE,
  UNDER_WAY,
  type Batch,
  type BatchAnswer,
  type BatchItem,
  type Presence,
} from './messages.ts';
import type { RegionKey } from '../../../lib/region-keys.ts';
import { TAKEN_WITHIN_MS } from './requests.ts';
import { createOpener, createSealer, type Sealer } from './sealing.ts';

/** Serves the checks of its regions to all processes on the message bus. */
export type ProbeService = ReturnType<typeof serveRegions>;

interface Received {
  subject: string;
  reply?: string;
  data: Uint8Array;
}

/** Answers of a batch that are to be sent at the end of this iteration of the event loop. */
interface OpenBatch {
  reply: string;
  sealer: Sealer;
  missing: number;
  results: BatchAnswer['results'];
}

/** An answer that is larger than this is sent in parts: a server takes 1 MiB by default. */
const MAX_ANSWER_CHARACTERS = 400_000;

export function serveRegions(options: {
  connection: BusConnection;
  probe: string;
  /** One key for each region, or several while keys are rotated. */
  keys: readonly RegionKey[];
  vantage: string;
  version: string;
  run(request: ProbeRequest): Promise<ProbeAnswer>;
  load(): ProbeLoad[];
  clock: Clock;
  log: Log;
}) {
  const { connection, probe, keys, vantage, version, clock, log } = options;
  const { nats } = connection;
  const opener = createOpener(keys);
  const sealers = new Map(keys.map((key) => [key.id, createSealer(key)]));
  const delays = new Delays();
  const open = new Set<OpenBatch>();
  const changed = new Set<OpenBatch>();
  let sequence = 0;
  let isLeaving = false;
  let timers: Timer[] = [];
  let onIdle: (() => void) | null = null;

  const callback = (error: Error | null, message: Received) => {
    if (error === null) receive(message);
  };
  const subscriptions = keys.flatMap(({ region, id }) => [
    nats.subscribe(checkSubject(region, id), { queue: PROBE_QUEUE, callback }),
    nats.subscribe(directSubject(region, id, probe), { callback }),
  ]);

  function receive({ subject, reply, data }: Received): void {
    if (reply === undefined) return;
    const opened = opener.open(data, `${subject} ${reply}`);
    const batch = opened && parseBatch(opened.text);
    if (opened === null || batch === null) {
      log.warn({ subject }, 'A message on NATS could not be read.');
      return;
    }
    const sealer = sealers.get(opened.keyId)!;
    if ('refusal' in batch) {
      publish(reply, sealer, { refusal: batch.refusal, results: [] });
      return;
    }
    // Its sender has given it up as lost: this process was suspended, or its connection was stalled.
    if (isStale(batch, nodeOf(reply))) return;
    const taken: OpenBatch = { reply, sealer, missing: batch.items.length, results: [] };
    open.add(taken);
    // Answers at once who has the batch: until then it counts as lost.
    publish(reply, sealer, { results: [] });
    const receivedAt = clock.now();
    for (const item of batch.items) void work(taken, item, receivedAt);
  }

  function isStale({ sentAt }: Batch, node: string): boolean {
    if (sentAt === undefined) return false;
    return delays.lateness(node, sentAt, clock.monotonic()) > TAKEN_WITHIN_MS;
  }

  async function work(batch: OpenBatch, item: BatchItem, receivedAt: number): Promise<void> {
    const [id, request, needs] = item;
    const need = missingNeed(needs ?? []);
    const answer = need === null ? await options.run(request) : unableTo(request, need);
    batch.results.push([id, writeAnswer(answer, receivedAt)]);
    batch.missing--;
    if (changed.size === 0) clock.soon(flush);
    changed.add(batch);
  }

  function flush(): void {
    for (const batch of changed) {
      for (const results of inParts(batch.results)) publish(batch.reply, batch.sealer, { results });
      batch.results = [];
      if (batch.missing === 0) open.delete(batch);
    }
    changed.clear();
    if (open.size === 0) onIdle?.();
  }

  function publish(
    subject: string,
    sealer: Sealer,
    answer: Pick<BatchAnswer, 'results' | 'refusal'>,
  ): void {
    send(subject, sealer, { protocol: PROTOCOL, probe, vantage, ...answer });
  }

  function send(subject: string, sealer: Sealer, message: object): void {
    // While the connection is away nobody would get it: the server asks another probe.
    if (nats.isClosed() || !connection.isConnected()) return;
    nats.publish(subject, sealer.seal(JSON.stringify(message), subject));
  }

  function announce(): void {
    for (const { region, id } of keys) {
      const presence: Presence = {
        protocol: PROTOCOL,
        probe,
        sequence: ++sequence,
        vantage,
        version,
        load: options.load(),
        now: clock.now(),
        takesDirect: true,
        ...(isLeaving && { isLeaving }),
      };
      send(presenceSubject(region, id), sealers.get(id)!, presence);
    }
  }

  /** Reports to each server which of its batches are still worked on, so that it does not take them for lost. */
  function reportUnderWay(): void {
    const byServer = Map.groupBy(open, ({ reply }) => nodeOf(reply));
    for (const [node, batches] of byServer) {
      const subject = answerSubject(node, UNDER_WAY);
      for (const [sealer, sealed] of Map.groupBy(batches, (batch) => batch.sealer))
        for (const part of slices(sealed, MAX_BATCHES_TOLD)) {
          const names = part.map(({ reply }) => batchOf(reply));
          send(subject, sealer, { protocol: PROTOCOL, probe, batches: names });
        }
    }
  }

  function every(milliseconds: number, call: () => void): void {
    let timer: Timer;
    const again = () => {
      timers = timers.filter((each) => each !== timer);
      call();
      timer = clock.after(milliseconds, again);
      timers.push(timer);
    };
    again();
  }

  every(PRESENCE_EVERY_MS, announce);
  every(UNDER_WAY_EVERY_MS, reportUnderWay);
  connection.onChange((isConnected) => {
    if (isConnected) announce();
  });

  return {
    underWay: () => [...open].reduce((sum, { missing }) => sum + missing, 0),
    /** Takes no more checks, and waits up to `waitMs` for those under way. Never rejects. */
    async stop(waitMs: number) {
      isLeaving = true;
      announce();
      // What the server has sent before it reads this is still delivered.
      const drained = subscriptions.map((each) => each.drain().catch(() => {}));
      await waitAtMost(clock, waitMs, Promise.all(drained));
      if (open.size > 0)
        await waitAtMost(clock, waitMs, new Promise<void>((resolve) => (onIdle = resolve)));
      for (const timer of timers) clock.clear(timer);
      await nats.flush().catch(() => {});
    },
  };
}

const MAX_BATCHES_TOLD = 5_000;

function slices<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

/** Divides results so that no message is larger than a server takes. */
function inParts(results: BatchAnswer['results']): BatchAnswer['results'][] {
  const parts: BatchAnswer['results'][] = [];
  let characters = Infinity;
  for (const result of results) {
    const size = JSON.stringify(result).length;
    if (characters + size > MAX_ANSWER_CHARACTERS) {
      parts.push([]);
      characters = 0;
    }
    characters += size;
    parts.at(-1)!.push(result);
  }
  return parts;
}

function unableTo(request: ProbeRequest, need: string): ProbeAnswer {
  const reason = `This probe is of an older release that does not know ${JSON.stringify(need)}: upgrade it`;
  return 'kind' in request ? { state: 'unknown', reason } : unknownResult('probe_unable', reason);
}

/**
 * Measures how late messages of a sender are, though its clock and ours have nothing in common: the message that took the
 * least time is the measure for all others.
 */
export class Delays {
  /** By sender, our time minus its time of its quickest message of each period. */
  readonly #quickest = new Map<string, { before: number; current: number; since: number }>();

  /** Milliseconds by which this message took longer than the quickest one of its sender; 0 for the first one. */
  lateness(sender: string, sentAt: number, now: number): number {
    const offset = now - sentAt;
    const known = this.#quickest.get(sender);
    if (known === undefined) {
      this.#remember(sender, { before: offset, current: offset, since: now });
      return 0;
    }
    const lateMs = offset - Math.min(known.before, known.current);
    // Clocks drift apart: what counts is the quickest one of the last two periods.
    if (now - known.since > PERIOD_MS)
      this.#remember(sender, { before: known.current, current: offset, since: now });
    else known.current = Math.min(known.current, offset);
    return Math.max(0, lateMs);
  }

  #remember(sender: string, quickest: { before: number; current: number; since: number }): void {
    this.#quickest.delete(sender);
    this.#quickest.set(sender, quickest);
    if (this.#quickest.size > MAX_SENDERS)
      this.#quickest.delete(this.#quickest.keys().next().value!);
  }
}

const PERIOD_MS = 600_000;
const MAX_SENDERS = 1_000;
