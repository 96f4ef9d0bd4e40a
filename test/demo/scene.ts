import type { LocalBus } from '../../src/engine/bus/local.ts';
import type { CheckResult } from '../../src/model/check.ts';
import type { AnyRequest } from '../../src/monitor-types/registry.ts';
import type { InspectionRequest, InspectionResult } from '../../src/model/inspection.ts';
import type { Region } from '../../src/model/monitor.ts';
import { NETWORK, type Outside } from '../../src/main/outside.ts';
import type { HttpResponse } from '../../src/net/http-client.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { numberOf, problemResult, upResult, type Target } from './latency.ts';
import { MONITORS } from './northwind/monitors.ts';
import { STORIES } from './northwind/problems.ts';
import { factsOf } from './northwind/targets.ts';
import { ENDPOINTS } from './settings.ts';

/** Longest time that a check takes here, whatever it reports: nobody waits for a demo. */
const MAX_WAIT_MS = 400;

/** What the targets of the demo answer. Monitors are known by their names, so that a restart changes nothing. */
export class Scene {
  #targets = new Map<number, Target>();

  /** Reads the monitors, those that people add too. */
  async read(database: Database): Promise<void> {
    const rows = await database.read
      .selectFrom('monitor')
      .select(['id', 'type', 'friendly_name', 'url'])
      .where('deleted_at', 'is', null)
      .execute();
    this.#targets = new Map(
      rows.map(({ id, type, friendly_name, url }) => [id, targetOf(type, friendly_name ?? url)]),
    );
  }

  answer(region: Region, request: AnyRequest): CheckResult {
    const at = Date.now();
    const target = this.#targets.get(request.monitorId) ?? targetOf(request.type, nameOf(request));
    const problem = STORIES.find((one) => one.monitor === target.name && one.endedAgo === null);
    const result =
      problem === undefined
        ? upResult(target, region, at)
        : problemResult(target, region, at, problem);
    const { content } = request.type === 'http' ? request : {};
    return result.vote === 'up' && content !== undefined
      ? { ...result, content: { kind: content.kind, passed: true, outcomes: [] } }
      : result;
  }
}

const nameOf = (request: AnyRequest) => (request.type === 'http' ? request.url : request.host);

function targetOf(type: string, name: string): Target {
  const known = MONITORS.find((one) => one.friendly_name === name)?.answersInMs;
  return { type, name, answersInMs: known ?? 60 + ((numberOf(name) >>> 5) % 200) };
}

/** A network in which the targets answer as the scene says, and all messages arrive but those of failing endpoints. */
export function scriptedNetwork(scene: Scene): Outside {
  return {
    startProbes: async () => busOf(scene),
    followDatabaseClock: NETWORK.followDatabaseClock,
    createHttpClient: () => ({ request: async ({ url }) => answerOf(new URL(url).hostname) }),
    createMailer: () => ({ send: async () => ({ outcome: 'sent' }) }),
  };
}

function busOf(scene: Scene): LocalBus {
  const check: LocalBus['check'] = async (region, request) => {
    const result = scene.answer(region, request as AnyRequest);
    const waitMs = Math.min(MAX_WAIT_MS, result.timings.totalMs ?? 0);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    return result;
  };
  return {
    check,
    checkAll: (regions, request) => Promise.all(regions.map((region) => check(region, request))),
    inspect: (async (request: InspectionRequest): Promise<InspectionResult> => ({
      state: 'known',
      facts: factsOf(request.kind, inspectedTarget(request), Date.now()),
    })) as LocalBus['inspect'],
    lastSeen: () => Date.now(),
    vantageOf: (region) => `probe-${region}`,
    probesOf: (region) => [
      {
        vantage: `probe-${region}`,
        version: '0.1.0',
        seenAt: Date.now(),
        takesChecks: true,
        isRemote: false,
        load: [],
      },
    ],
    processes: () => [],
    inspectMachine: async () => null,
    close: async () => {},
  };
}

function inspectedTarget(request: InspectionRequest): string {
  if (request.kind === 'ssl') return `${request.host}:${request.port}`;
  return request.kind === 'dns' ? request.host : request.domain;
}

function answerOf(host: string): HttpResponse {
  const isFailing = ENDPOINTS.some((one) => one.host === host && one.failingForDays !== null);
  const [status, body] = isFailing ? [503, 'upstream connect error'] : [200, 'ok'];
  return { ok: true, status, headers: {}, body: Buffer.from(body) };
}
