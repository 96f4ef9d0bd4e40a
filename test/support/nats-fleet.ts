import { connectBus, type BusConnection } from '../../src/engine/bus/nats/connection.ts';
import { NatsBus } from '../../src/engine/bus/nats/nats-bus.ts';
import { serveRegions, type ProbeService } from '../../src/engine/bus/nats/probe-service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { deriveRegionKey, type RegionKey } from '../../src/lib/region-keys.ts';
import { NO_TIMINGS, type CheckResult } from '../../src/model/check.ts';
import type { ProbeAnswer, ProbeRequest } from '../../src/probe/agent/child.ts';
import { turnOfTheEventLoop } from './event-loop.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { startProxy, type TcpProxy } from './tcp-proxy.ts';

export const SECRET_KEY = 'the secret key of a test';
export const keyOf = (region: string, secret = SECRET_KEY, version?: number): RegionKey =>
  deriveRegionKey(secret, region, version);

/** A request as it reached a probe, until the test answers it. */
export interface Asked {
  request: ProbeRequest;
  answer(answer: ProbeAnswer): void;
}

export interface FleetProbe {
  clock: FakeClock;
  connection: BusConnection;
  service: ProbeService;
  /** What was not answered yet, in the order of its arrival. */
  asked: Asked[];
  /** Cuts it off without a word, as a machine that loses its power. */
  kill(): Promise<void>;
  /** Lets it neither hear nor say anything more while its connection stays open, as when its process is suspended. */
  suspend(): void;
}

export interface NatsFleet {
  clock: FakeClock;
  bus: NatsBus;
  connection: BusConnection;
  /** Starts a probe and waits until the bus has heard of it. `answers` replies at once. */
  probe(options?: {
    regions?: readonly string[];
    vantage?: string;
    answers?: (request: ProbeRequest) => ProbeAnswer;
    clockAheadMs?: number;
    keys?: readonly RegionKey[];
  }): Promise<FleetProbe>;
  /** Lets messages travel until the predicate holds. */
  until(predicate: () => boolean): Promise<void>;
  /** Lets that much time pass for all, in steps in which messages travel. */
  advance(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

const STEP_MS = 500;
const connect = (url: string) =>
  connectBus(
    {
      urls: [url],
      credentials: null,
      nkey: null,
      tlsCa: null,
      tlsCert: null,
      tlsKey: null,
    },
    { name: 'test', clock: systemClock, log: silentLog },
  );

export function upFrom(vantage: string): CheckResult {
  return {
    vote: 'up',
    failure: null,
    responseTimeMs: 1,
    statusCode: null,
    timings: NO_TIMINGS,
    remoteAddress: vantage,
    evidence: null,
  };
}

/** A server and its probes on a real NATS server; each has a clock of its own, which stands still until it is advanced. */
export async function natsFleet(
  url: string,
  {
    regions = ['nbg', 'sin'],
    secrets = [SECRET_KEY],
    versions = {},
    node = 'server',
    privateRegions = [],
  }: {
    regions?: string[];
    secrets?: string[];
    /** Versions of keys by region; the first unless given. */
    versions?: Readonly<Record<string, number>>;
    /** Id of the server process. */
    node?: string;
    /** Those of `regions` that belong to one team each. */
    privateRegions?: string[];
  } = {},
): Promise<NatsFleet> {
  const clock = createFakeClock();
  const connection = await connect(url);
  const keys = regions.flatMap((region) =>
    secrets.map((secret) => keyOf(region, secret, versions[region])),
  );
  const bus = new NatsBus({
    connection,
    node,
    keys,
    privateRegions,
    clock,
    log: silentLog,
  });
  await connection.nats.flush();
  const probes: FleetProbe[] = [];
  const lines: TcpProxy[] = [];
  const suspended: FleetProbe[] = [];
  let started = 0;

  const settle = async () => {
    await clock.settle();
    for (const probe of probes) await probe.clock.settle();
    await turnOfTheEventLoop();
  };

  async function until(predicate: () => boolean): Promise<void> {
    while (!predicate()) await settle();
  }

  /** Waits until all messages that are on their way have been read. */
  async function delivered(): Promise<void> {
    for (let round = 0; round < 3; round++) {
      await settle();
      const open = [connection, ...probes.map((probe) => probe.connection)];
      for (const each of open)
        if (each.isConnected() && !each.nats.isClosed()) await each.nats.flush();
    }
    await settle();
  }

  return {
    clock,
    bus,
    connection,
    until,
    async probe({
      regions: served = ['nbg'],
      vantage = 'rack',
      answers,
      clockAheadMs = 0,
      keys: own,
    } = {}) {
      const id = `probe-${++started}`;
      const ownClock = createFakeClock({ now: clock.now() + clockAheadMs });
      const line = await startProxy(Number(new URL(url).port));
      lines.push(line);
      const ownConnection = await connect(`nats://127.0.0.1:${line.port}`);
      const asked: Asked[] = [];
      const service = serveRegions({
        connection: ownConnection,
        probe: id,
        keys: own ?? served.map((region) => keyOf(region)),
        vantage,
        version: '1.0.0',
        run: (request) =>
          answers
            ? Promise.resolve(answers(request))
            : new Promise((answer) => void asked.push({ request, answer })),
        load: () => [
          { running: asked.length, waiting: 0, longestWaitMs: 0, capacity: 9, openFiles: null },
        ],
        clock: ownClock,
        log: silentLog,
      });
      const probe: FleetProbe = {
        clock: ownClock,
        connection: ownConnection,
        service,
        asked,
        async kill() {
          probes.splice(probes.indexOf(probe), 1);
          await ownConnection.nats.close();
        },
        suspend() {
          suspended.push(...probes.splice(probes.indexOf(probe), 1));
          line.freeze();
        },
      };
      probes.push(probe);
      await until(() =>
        served.every((region) => bus.probesOf(region).some((one) => one.vantage === vantage)),
      );
      return probe;
    },
    async advance(milliseconds) {
      for (let left = milliseconds; left > 0; left -= STEP_MS) {
        const step = Math.min(left, STEP_MS);
        await delivered();
        for (const each of [clock, ...probes.map((probe) => probe.clock)]) await each.advance(step);
      }
      await delivered();
    },
    async close() {
      await bus.close();
      await Promise.all(lines.map((line) => line.close()));
      for (const probe of [...probes, ...suspended]) await probe.connection.nats.close();
      await connection.nats.close();
    },
  };
}
