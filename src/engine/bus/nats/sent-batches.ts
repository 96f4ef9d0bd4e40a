import type { Clock } from '../../../lib/clock.ts';
import type { Region } from '../../../model/monitor.ts';
import type { ProbeAnswer } from '../../../probe/agent/child.ts';
import { readAnswer } from './answers.ts';
import type { BusConnection } from './connection.ts';
import {
  parseBatchAnswer,
  parseUnderWay,
  PROTOCOL,
  allAnswers,
  answerSubject,
  batchOf,
  checkSubject,
  directSubject,
  UNDER_WAY,
  type Batch,
  type BatchAnswer,
} from './messages.ts';
import {
  HOLD_MS,
  isLost,
  MAX_SENT,
  placed,
  type PendingRequest,
  type SentBatch,
  type Unanswered,
} from './requests.ts';
import type { Sealer } from './sealing.ts';

/** Where a batch is sent: to any probe of the region that has the key, or to one. */
interface Address {
  region: Region;
  keyId: string;
  probe: string | null;
}

interface SentBatchesOptions {
  connection: BusConnection;
  node: string;
  sealers: ReadonlyMap<string, Sealer>;
  clock: Clock;
  counters: { batches_sent: number; requests_sent_again: number };
  /** Null for a message that no key opens. */
  open(data: Uint8Array, subject: string): { keyId: string; text: string } | null;
  onUnreadable(subject: string): void;
  settle(request: PendingRequest, answer: ProbeAnswer): void;
  give(request: PendingRequest, why: Unanswered): void;
  /** The batch or its probe is lost: the request is to be sent again. */
  again(request: PendingRequest): void;
  /** Nobody has subscribed to the subject of a batch: its probe, or that of the region, has just gone. */
  onNobody(region: Region, probe: string | null, requests: PendingRequest[]): void;
}

const NO_RESPONDERS = 503;

export class SentBatches {
  readonly #options: SentBatchesOptions;
  readonly #clock: Clock;
  readonly #batches = new Map<string, SentBatch>();
  #nextBatch = 1;

  constructor(options: SentBatchesOptions) {
    this.#options = options;
    this.#clock = options.clock;
    options.connection.nats.subscribe(allAnswers(options.node), {
      callback: (error, { subject, data, headers }) => {
        if (error !== null) return;
        if (headers?.code === NO_RESPONDERS) this.#onNobody(batchOf(subject));
        else this.#onAnswer(subject, data);
      },
    });
  }

  get size(): number {
    return this.#batches.size;
  }

  send(address: Address, requests: readonly PendingRequest[]): void {
    const { region, keyId, probe } = address;
    const { connection, node, sealers } = this.#options;
    const id = (this.#nextBatch++).toString(36);
    const subject =
      probe === null ? checkSubject(region, keyId) : directSubject(region, keyId, probe);
    const reply = answerSubject(node, id);
    const now = this.#clock.monotonic();
    const message: Batch = {
      protocol: PROTOCOL,
      sentAt: now,
      items: requests.map((request) => [request.id, request.request]),
    };
    const sealed = sealers.get(keyId)!.seal(JSON.stringify(message), `${subject} ${reply}`);
    if (sealed.length > (connection.nats.info?.max_payload ?? Infinity))
      return this.#sendDivided(address, requests);
    this.#batches.set(id, {
      id,
      region,
      keyId,
      probe,
      requests: new Map(requests.map((request) => [request.id, request])),
      sentAt: this.#clock.now(),
      sentAtSteady: now,
      takenBy: null,
      heardAt: now,
    });
    for (const request of requests) {
      request.heldSince = null;
      if (request.sent++ > 0) this.#options.counters.requests_sent_again++;
    }
    this.#options.counters.batches_sent++;
    connection.nats.publish(subject, sealed, { reply });
  }

  #sendDivided(address: Address, requests: readonly PendingRequest[]): void {
    if (requests.length === 1) return this.#options.give(requests[0]!, 'unreadable');
    const half = requests.length >> 1;
    this.send(address, requests.slice(0, half));
    this.send(address, requests.slice(half));
  }

  #onNobody(id: string): void {
    const batch = this.#batches.get(id);
    if (batch === undefined) return;
    this.#batches.delete(id);
    const open = [...batch.requests.values()];
    // It was not carried out: sending it again does not count.
    for (const request of open) request.sent--;
    this.#options.onNobody(batch.region, batch.probe, open);
  }

  #onAnswer(subject: string, data: Uint8Array): void {
    const opened = this.#options.open(data, subject);
    if (opened === null) return;
    const id = batchOf(subject);
    if (id === UNDER_WAY) {
      const now = this.#clock.monotonic();
      for (const name of parseUnderWay(opened.text)?.batches ?? []) {
        const batch = this.#batches.get(name);
        if (batch?.keyId === opened.keyId) batch.heardAt = now;
      }
      return;
    }
    const batch = this.#batches.get(id);
    if (batch?.keyId !== opened.keyId) return;
    const answer = parseBatchAnswer(opened.text);
    if (answer === null) this.#options.onUnreadable(subject);
    else this.#takeAnswer(batch, answer);
  }

  #takeAnswer(batch: SentBatch, answer: BatchAnswer): void {
    const now = this.#clock.monotonic();
    batch.heardAt = now;
    batch.takenBy ??= { probe: answer.probe, roundTripMs: now - batch.sentAtSteady };
    if (answer.refusal !== undefined) {
      for (const request of batch.requests.values()) this.#options.give(request, 'outdated');
      batch.requests.clear();
    }
    const travel = {
      receivedAt: batch.sentAt + batch.takenBy.roundTripMs / 2,
      answeredAt: this.#clock.now(),
    };
    for (const [id, value] of answer.results) {
      const request = batch.requests.get(id);
      if (request === undefined) continue;
      batch.requests.delete(id);
      const read = readAnswer(request.request, value, travel);
      if (read === null) this.#options.give(request, 'unreadable');
      else this.#options.settle(request, placed(read, answer.vantage));
    }
    if (batch.requests.size === 0) this.#batches.delete(batch.id);
  }

  /** Gives up the batches that are lost. @param wasHeldUp whether this process itself has read nothing meanwhile. */
  watch(wasHeldUp: boolean): void {
    const now = this.#clock.monotonic();
    const isConnected = this.#options.connection.isConnected();
    for (const batch of this.#batches.values()) {
      if (wasHeldUp) batch.heardAt = now;
      else if (!isConnected) this.#giveUpAfterHold(batch, now);
      else if (isLost(batch, now)) this.#lose(batch);
    }
  }

  /** What was answered while the connection was away is lost: it shows as silence of the probe, within seconds. */
  onReconnected(): void {
    const now = this.#clock.monotonic();
    for (const batch of this.#batches.values()) batch.heardAt = now;
  }

  /** Nothing is heard while the connection is away: that says nothing about the probe until it lasts. */
  #giveUpAfterHold(batch: SentBatch, now: number): void {
    if (now - batch.heardAt <= HOLD_MS) return;
    this.#batches.delete(batch.id);
    for (const request of batch.requests.values()) this.#options.give(request, 'no_bus');
  }

  #lose(batch: SentBatch): void {
    this.#batches.delete(batch.id);
    const { takenBy, sentAtSteady: sentAt } = batch;
    const lost = { probe: takenBy?.probe ?? null, sentAt, at: this.#clock.monotonic() };
    for (const request of batch.requests.values()) {
      request.lost = lost;
      if (request.sent < MAX_SENT) this.#options.again(request);
      else this.#options.give(request, 'lost');
    }
  }
}
