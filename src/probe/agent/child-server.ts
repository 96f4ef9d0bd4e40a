import { setServers } from 'node:dns';
import { systemClock, type Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { CheckRequest, CheckResult } from '../../model/check.ts';
import type { InspectionRequest, InspectionResult } from '../../model/inspection.ts';
import type { ProbeLoad } from '../../model/probe-load.ts';
import type { MachineReport, MachineRequest } from '../../model/machine.ts';
import { packResult, type PackedResult } from '../../model/packed-result.ts';
import { createAddressGuard, parseAllowPrivateTargets } from '../../net/address-guard.ts';
import { createOnLinkMarker } from '../../net/on-link.ts';
import { createResolver } from '../../net/resolver.ts';
import { shareLookups } from '../../net/shared-lookups.ts';
import { createAgent, URGENT_SLOTS } from './agent.ts';
import type { Inspectors, Registry } from './registry.ts';
import { createMachineInspector } from './machine.ts';

/** Startup settings of a probe process: its only argument, as JSON. Contains no secrets. */
export interface ChildSettings {
  /** Value of ALLOW_PRIVATE_TARGETS. */
  allowPrivateTargets: string;
  /** DNS_SERVERS; null for the system's. */
  dnsServers: readonly string[] | null;
  /** Path of RDAP_BOOTSTRAP_FILE; null for the built-in table. */
  rdapBootstrapFile: string | null;
}

/**
 * Message from the parent: checks and inspections, each with an id that its results carry. A request is run `count`
 * times at once, for several regions.
 */
export type ToChild = [id: number, request: ProbeRequest, count: number][];
export type ProbeRequest = CheckRequest | InspectionRequest | MachineRequest;
export type ProbeAnswer = CheckResult | InspectionResult | MachineReport;
export type PackedAnswer = PackedResult | InspectionResult | MachineReport;

/** Message from a probe process, with everything of one event loop iteration. */
export interface FromChild {
  results?: [id: number, index: number, result: PackedAnswer][];
  /** Sent every `ALIVE_INTERVAL_MS`, also as a sign of life. */
  load?: ProbeLoad;
  /** Log records, written by the parent so that there is one log. */
  logs?: [level: keyof Log, fields: object, message: string][];
}

/** A process that has been silent for a multiple of this is stuck. */
export const ALIVE_INTERVAL_MS = 1_000;
/** A hanging check takes about 20 KiB of memory: this limits a process to 400 MiB, however many files it may open. */
const MAX_CONCURRENT = 16_000;
/** Assumed if the limit of open files is unknown: macOS allows 10,240 files. */
const DEFAULT_MAX_CONCURRENT = 4_000;
/**
 * Files that a check may hold at once: the sockets of its two DNS queries, later the connection and the attempt at the
 * other address family, or the pipes of a ping program. A redirect closes its connection before the next.
 */
const FILES_PER_CHECK = 2;
/** Files opened by the process itself, including the sockets of inspections. */
const RESERVED_FILES = 128;

/**
 * Serves the parent process until it disconnects. Ignores the terminal's signals, which reach both: the parent decides
 * when this process ends.
 */
export function serveParent(deps: {
  settings: ChildSettings;
  /** Content of `/proc/self/limits`; null if unavailable. */
  limits: string | null;
  createRegistry(deps: { clock: Clock; log: Log }): Registry;
  createInspectors(deps: { clock: Clock; log: Log }): Inspectors;
}): void {
  const clock = systemClock;
  const targets = parseAllowPrivateTargets(deps.settings.allowPrivateTargets);
  if (!targets.ok) throw new Error(targets.message);
  const { dnsServers } = deps.settings;
  // Inspections and the machine's self-checks get their name servers from node:dns.
  if (dnsServers !== null) setServers(dnsServers);
  const { log, answer, reportLoad } = createOutbox(clock);
  const agent = createAgent({
    registry: deps.createRegistry({ clock, log }),
    inspectors: deps.createInspectors({ clock, log }),
    resolver: shareLookups(createResolver({ clock, servers: dnsServers }), clock),
    guard: createAddressGuard(targets.value),
    clock,
    log,
    maxConcurrent: maxConcurrent(deps.limits),
  });

  const inspectMachine = createMachineInspector({ clock });
  const markOnLink = createOnLinkMarker(clock);
  const inspect = (request: InspectionRequest | MachineRequest) =>
    request.kind === 'machine' ? inspectMachine(request) : agent.inspect(request);

  function run(id: number, index: number, request: ProbeRequest): void {
    if ('kind' in request) void inspect(request).then((result) => answer(id, index, result));
    else
      void agent.run(request).then((result) => answer(id, index, packResult(markOnLink(result))));
  }

  process.on('message', (message) => {
    for (const [id, request, count] of message as ToChild)
      for (let index = 0; index < count; index++) run(id, index, request);
  });
  process.on('disconnect', () => process.exit(0));
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  // A bug that one target triggers must not stop the checks of all others: its own check ends at the deadline.
  process.on('uncaughtException', (error) => {
    log.error({ error: error.stack ?? String(error) }, 'Something failed in the probe process.');
  });

  const files = maxOpenFiles(deps.limits);
  const openFiles = files === Infinity ? null : files;
  const reportAlive = () => {
    reportLoad({ ...agent.load(), openFiles });
    clock.after(ALIVE_INTERVAL_MS, reportAlive);
  };
  reportAlive();
}

/** Maximum number of concurrent team checks of a process with these limits (content of `/proc/self/limits`). */
export function maxConcurrent(limits: string | null): number {
  const openFiles = maxOpenFiles(limits);
  if (openFiles === null) return DEFAULT_MAX_CONCURRENT;
  const checks = Math.floor((openFiles - RESERVED_FILES) / FILES_PER_CHECK) - URGENT_SLOTS;
  return Math.max(16, Math.min(MAX_CONCURRENT, checks));
}

/** Infinity if unlimited, null if unknown. */
export function maxOpenFiles(limits: string | null): number | null {
  const openFiles = /^Max open files\s+(\d+|unlimited)/m.exec(limits ?? '')?.[1];
  if (openFiles === undefined) return null;
  return openFiles === 'unlimited' ? Infinity : Number(openFiles);
}

/**
 * Collects messages until the end of the event loop iteration: one message costs much more than one more entry in it.
 */
function createOutbox(clock: Clock) {
  let batch: FromChild | null = null;

  function collect(): FromChild {
    if (batch === null) {
      clock.soon(flush);
      batch = {};
    }
    return batch;
  }

  function flush(): void {
    const message = batch;
    batch = null;
    // The 'disconnect' event reports a parent that is gone.
    if (process.connected) process.send!(message, undefined, {}, () => {});
  }

  const write =
    (level: keyof Log) =>
    (fields: object, message: string): void => {
      (collect().logs ??= []).push([level, fields, message]);
    };
  return {
    reportLoad(load: ProbeLoad): void {
      collect().load = load;
    },
    answer(id: number, index: number, result: PackedAnswer): void {
      (collect().results ??= []).push([id, index, result]);
    },
    log: {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    } satisfies Log,
  };
}
