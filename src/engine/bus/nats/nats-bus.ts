import { afterPendingEvents, type Clock, type Timer } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import { TimerQueue, UNQUEUED_TIMER } from '../../../lib/timer-queue.ts';
import type { CheckRequest } from '../../../model/check.ts';
import type { InspectionRequest, InspectionResult } from '../../../model/inspection.ts';
import type { MachineReport } from '../../../model/machine.ts';
import type { Region } from '../../../model/monitor.ts';
import type { ProbeAnswer, ProbeRequest } from '../../../probe/agent/child.ts';
import { MACHINE_TIMEOUT_MS, type FleetBus, type ProbedResult } from '../contract.ts';
import type { BusConnection } from './connection.ts';
import { ProbeFleet, listenForProbes } from './fleet.ts';
import type { RegionKey } from '../../../lib/region-keys.ts';
import {
  chooseKey,
  HOLD_MS,
  inBatches,
  routesOf,
  settleWithinMs,
  uncheckedBecause,
  uninspectedBecause,
  type PendingRequest,
  type Unanswered,
} from './requests.ts';
import { createOpener, createSealer } from './sealing.ts';
import { SentBatches } from './sent-batches.ts';

interface NatsBusOptions {
  connection: BusConnection;
  node: string;
  /** Keys of all regions that this process may ask, those of a region newest first. */
  keys: readonly RegionKey[];
  /** Regions of one team each: they run no inspections that do not name them. */
  privateRegions?: readonly Region[];
  clock: Clock;
  log: Log;
}

export interface NatsBusCounters {
  batches_sent: number;
  requests_sent_again: number;
  requests_lost: number;
  messages_unreadable: number;
}

const WATCH_EVERY_MS = 500;
/** A watch that comes later than this was held up itself: what has arrived meanwhile is read first. */
const HELD_UP_MS = 1_500;
/**
 * Bus to the probes of other processes and machines, over NATS. Requests of one iteration of the event loop travel
 * together; any probe of the region takes a batch and answers each request as it is done. A request is sent once more if
 * the batch or its probe is lost, so a check may be run twice and is answered once. Core NATS keeps no messages: nothing
 * here relies on one to arrive.
 */
export class NatsBus implements FleetBus {
  readonly counters = {
    batches_sent: 0,
    requests_sent_again: 0,
    requests_lost: 0,
    messages_unreadable: 0,
  };
  readonly #options: NatsBusOptions;
  readonly #clock: Clock;
  readonly #fleet = new ProbeFleet();
  readonly #keys: ReadonlyMap<Region, readonly RegionKey[]>;
  readonly #sharedRegions: readonly Region[];
  readonly #opener: ReturnType<typeof createOpener>;
  readonly #deadlines: TimerQueue<PendingRequest>;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #batches: SentBatches;
  /** Requests to be sent at the end of this iteration of the event loop, and those that are held. */
  readonly #outbox = new Map<Region, PendingRequest[]>();
  #isFlushing = false;
  #watch: Timer | null = null;
  #watchedAt = 0;
  #nextRequest = 1;
  #turn = 0;
  #nextInspectedRegion = 0;
  #isClosed = false;

  constructor(options: NatsBusOptions) {
    const { connection, keys, node, clock, privateRegions = [] } = options;
    this.#options = options;
    this.#clock = clock;
    this.#keys = Map.groupBy(keys, ({ region }) => region);
    this.#sharedRegions = [...this.#keys.keys()].filter(
      (region) => !privateRegions.includes(region),
    );
    this.#opener = createOpener(keys);
    this.#deadlines = new TimerQueue({
      clock,
      fire: (request) => this.#give(request, 'lost'),
    });
    this.#batches = new SentBatches({
      connection,
      node,
      clock,
      counters: this.counters,
      sealers: new Map(keys.map((key) => [key.id, createSealer(key)])),
      open: (data, subject) => this.#open(data, subject),
      onUnreadable: (subject) => this.#unreadable(subject),
      settle: (request, answer) => this.#settle(request, answer),
      give: (request, why) => this.#give(request, why),
      again: (request) => this.#enqueue(request),
      onNobody: (region, probe, requests) => {
        if (probe !== null) this.#fleet.markGone(region, probe);
        this.#hold(region, requests, 'no_probe');
      },
    });
    listenForProbes({
      ...options,
      fleet: this.#fleet,
      open: (data, subject) => this.#open(data, subject),
      onUnreadable: (subject) => this.#unreadable(subject),
      onNew: (region) => {
        if (this.#outbox.has(region)) this.#flushSoon();
      },
    });
    connection.onChange((isConnected) => {
      if (isConnected) this.#onReconnected();
    });
  }

  check(region: Region, request: CheckRequest): Promise<ProbedResult> {
    return this.#ask(region, request, uncheckedBecause) as Promise<ProbedResult>;
  }

  async checkAll(regions: readonly Region[], request: CheckRequest): Promise<ProbedResult[]> {
    return Promise.all(regions.map((region) => this.check(region, request)));
  }

  inspect<Request extends InspectionRequest>(request: Request, wanted?: Region) {
    const region = wanted ?? this.#regionForInspection();
    const answer =
      region === null
        ? Promise.resolve(uninspectedBecause('no_probe'))
        : this.#ask(region, request, uninspectedBecause);
    return answer as Promise<InspectionResult<Request['kind']>>;
  }

  async inspectMachine(region: Region): Promise<MachineReport | null> {
    const request = { kind: 'machine', timeoutMs: MACHINE_TIMEOUT_MS } as const;
    const answer = await this.#ask(region, request, uninspectedBecause);
    return 'gateway' in answer ? answer : null;
  }

  lastSeen(region: Region): number | null {
    return this.#fleet.lastSeen(region);
  }

  vantageOf(region: Region): string | null {
    return this.#fleet.vantageOf(region, this.#clock.monotonic());
  }

  probesOf(region: Region) {
    const now = this.#clock.monotonic();
    const taking = new Set(this.#fleet.taking(region, now));
    return this.#fleet
      .of(region)
      .map((probe) => ({ ...probe, takesChecks: taking.has(probe), isRemote: true }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const request of this.#pending.values()) this.#give(request, 'aborted');
    this.#deadlines.stop();
    this.#clock.clear(this.#watch);
  }

  /** Shared regions take turns, those with a probe that takes checks. */
  #regionForInspection(): Region | null {
    const now = this.#clock.monotonic();
    const live = this.#sharedRegions.filter((region) => this.#fleet.taking(region, now).length > 0);
    return live.length === 0 ? null : live[this.#nextInspectedRegion++ % live.length]!;
  }

  #ask(
    region: Region,
    request: ProbeRequest,
    unanswered: (why: Unanswered, region: Region) => ProbeAnswer,
  ): Promise<ProbeAnswer> {
    if (this.#isClosed) return Promise.resolve(unanswered('aborted', region));
    if (!this.#keys.has(region)) return Promise.resolve(unanswered('no_probe', region));
    return new Promise((settle) => {
      const pending: PendingRequest = {
        ...UNQUEUED_TIMER,
        id: this.#nextRequest++,
        region,
        request,
        lost: null,
        sent: 0,
        heldSince: null,
        settle,
        unanswered: (why) => unanswered(why, region),
      };
      this.#pending.set(pending.id, pending);
      this.#deadlines.set(pending, this.#clock.monotonic() + settleWithinMs(request));
      this.#enqueue(pending);
    });
  }

  #enqueue(request: PendingRequest): void {
    const waiting = this.#outbox.get(request.region);
    if (waiting === undefined) this.#outbox.set(request.region, [request]);
    else waiting.push(request);
    this.#flushSoon();
  }

  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    this.#clock.soon(() => {
      this.#isFlushing = false;
      // A copy: requests that are held are put back under their region.
      const regions = [...this.#outbox.keys()];
      for (const region of regions) this.#flush(region);
      this.#keepWatch();
    });
  }

  #flush(region: Region): void {
    const requests = (this.#outbox.get(region) ?? []).filter(({ id }) => this.#pending.has(id));
    this.#outbox.delete(region);
    if (requests.length === 0 || this.#isClosed) return;
    if (!this.#options.connection.isConnected()) return this.#hold(region, requests, 'no_bus');
    const now = this.#clock.monotonic();
    const taking = this.#fleet.taking(region, now);
    const keyIds = this.#keys.get(region)!.map(({ id }) => id);
    const keyId = chooseKey(keyIds, taking);
    if (keyId === null) return this.#hold(region, requests, this.#whyNobody(region));
    const order = taking.toSorted((a, b) => (a.probe < b.probe ? -1 : 1));
    const routes = routesOf(requests, order, {
      hasSilent: this.#fleet.hasSilent(region, now),
      turn: this.#turn++,
    });
    for (const batch of inBatches(routes.toAny, taking.length))
      this.#batches.send({ region, keyId, probe: null }, batch);
    for (const [{ probe, keyIds: held }, requestsOfOne] of routes.toOne) {
      const address = { region, keyId: keyIds.find((id) => held.has(id)) ?? keyId, probe };
      for (const batch of inBatches(requestsOfOne, 1)) this.#batches.send(address, batch);
    }
    this.#hold(region, routes.waiting, 'lost');
  }

  #whyNobody(region: Region): Unanswered {
    const now = this.#clock.monotonic();
    const isOther = this.#fleet
      .of(region)
      .some(({ isCompatible, heardAt }) => !isCompatible && heardAt > now - HOLD_MS);
    return isOther ? 'outdated' : 'no_probe';
  }

  /** Keeps requests for a moment in which the connection or a probe may return; settles those that waited. */
  #hold(region: Region, requests: PendingRequest[], why: Unanswered): void {
    const now = this.#clock.monotonic();
    const seenAt = this.#fleet.of(region)[0]?.heardAt ?? -Infinity;
    const isAway = why === 'no_probe' || why === 'lost';
    const mayReturn = why === 'no_bus' || (isAway && seenAt > now - HOLD_MS);
    const held: PendingRequest[] = [];
    for (const request of requests) {
      request.heldSince ??= now;
      if (mayReturn && now - request.heldSince < HOLD_MS) held.push(request);
      else this.#give(request, why);
    }
    if (held.length > 0) this.#outbox.set(region, [...held, ...(this.#outbox.get(region) ?? [])]);
  }

  #open(data: Uint8Array, subject: string): { keyId: string; text: string } | null {
    const opened = this.#opener.open(data, subject);
    if (opened === null) this.#unreadable(subject);
    return opened;
  }

  #unreadable(subject: string): void {
    this.counters.messages_unreadable++;
    // Log: It was sealed with another key, or changed on its way. Look for a PROBE_KEY that does
    // not belong to SECRET_KEY or that REGION_KEY_VERSIONS has withdrawn, and for unknown clients
    // of the message bus.
    this.#options.log.warn({ subject }, 'A message on NATS could not be read.');
  }

  #onReconnected(): void {
    this.#batches.onReconnected();
    this.#flushSoon();
  }

  #keepWatch(): void {
    const isIdle = this.#batches.size === 0 && this.#outbox.size === 0;
    if (this.#watch !== null || isIdle || this.#isClosed) return;
    this.#watchedAt = this.#clock.monotonic();
    this.#watch = this.#clock.after(WATCH_EVERY_MS, () => {
      this.#watch = null;
      afterPendingEvents(this.#clock, () => this.#watchBatches());
    });
  }

  #watchBatches(): void {
    const now = this.#clock.monotonic();
    this.#batches.watch(now - this.#watchedAt > HELD_UP_MS);
    this.#fleet.forgetSilent(now);
    if (this.#outbox.size > 0) this.#flushSoon();
    this.#keepWatch();
  }

  #give(request: PendingRequest, why: Unanswered): void {
    if (why === 'lost') this.counters.requests_lost++;
    this.#settle(request, request.unanswered(why));
  }

  #settle(request: PendingRequest, answer: ProbeAnswer): void {
    if (!this.#pending.delete(request.id)) return;
    this.#deadlines.remove(request);
    request.settle(answer);
  }
}
