import { setServers } from 'node:dns';
import { systemClock, type Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { CheckRequest, CheckResult } from '../../model/check.ts';
import type { InspectionRequest, InspectionResult } from '../../model/inspection.ts';
import type { ProbeLoad } from '../../model/probe-load.ts';
import type { MachineReport, MachineRequest } from '../../model/machine.ts';
import { createAddressGuard, parseAllowPrivateTargets } from '../../net/address-guard.ts';
import { createOnLinkMarker } from '../../net/on-link.ts';
import { createResolver } from '../../net/resolver.ts';
import { shareLookups } from '../../net/shared-lookups.ts';
import { createAgent, URGENT_SLOTS } from './agent.ts';
import type { Inspectors } from './inspectors.ts';
import { createMachineInspector } from './machine.ts';
import type { Registry } from './registry.ts';

/** What a probe process is started with: its one argument, as JSON. Nothing in it is secret. */
export interface ChildSettings {
  /** The text of ALLOW_PRIVATE_TARGETS. */
  allowPrivateTargets: string;
  /** DNS_SERVERS; null for the system's. */
  dnsServers: readonly string[] | null;
  /** Path of RDAP_BOOTSTRAP_FILE; null for the table that comes with the program. */
  rdapBootstrapFile: string | null;
}

/** What the parent sends: checks and inspections, each with the number that its answer carries. */
export type ToChild = [id: number, request: ProbeRequest][];
export type ProbeRequest = CheckRequest | InspectionRequest | MachineRequest;
export type ProbeAnswer = CheckResult | InspectionResult | MachineReport;

/** What a probe process sends, all of one turn of its event loop together. */
export interface FromChild {
  results?: [id: number, result: ProbeAnswer][];
  /** Sent every `ALIVE_EVERY_MS`: it also says that the process is alive. */
  load?: ProbeLoad;
  /** The parent writes them, so that there is one log. */
  logs?: [level: keyof Log, fields: object, message: string][];
}

/** A process that has not been heard of for a multiple of this is stuck. */
export const ALIVE_INTERVAL_MS = 1_000;
/** A check that hangs takes some 20 KiB of memory: this keeps a process below 400 MiB, however many files it may open. */
const MAX_CONCURRENT = 16_000;
/** What is assumed where the limit of open files is not known: macOS allows 10,240 files. */
const DEFAULT_MAX_CONCURRENT = 4_000;
/**
 * Files that a check may hold at once: the sockets of its two name queries, later the connection and the attempt at
 * the other family of addresses, or the pipes of a ping program. A redirect closes its connection before the next.
 */
const FILES_PER_CHECK = 2;
/** Files that this process has open by itself, with the sockets of inspections. */
const RESERVED_FILES = 128;

/**
 * Serves the process that forked this one until it goes away. It decides when this process ends: the terminal's signals,
 * which reach both, are ignored here.
 */
export function serveParent(deps: {
  settings: ChildSettings;
  /** Text of `/proc/self/limits`, null where there is none. */
  limits: string | null;
  createRegistry(deps: { clock: Clock; log: Log }): Registry;
  createInspectors(deps: { clock: Clock; log: Log }): Inspectors;
}): void {
  const clock = systemClock;
  const targets = parseAllowPrivateTargets(deps.settings.allowPrivateTargets);
  if (!targets.ok) throw new Error(targets.message);
  const { dnsServers } = deps.settings;
  // Inspections and the machine's self-checks ask node:dns which servers there are.
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
  const run = (request: ProbeRequest): Promise<ProbeAnswer> => {
    if (!('kind' in request)) return agent.run(request).then(markOnLink);
    return request.kind === 'machine' ? inspectMachine(request) : agent.inspect(request);
  };

  process.on('message', (message) => {
    for (const [id, request] of message as ToChild)
      void run(request).then((result) => answer(id, result));
  });
  process.on('disconnect', () => process.exit(0));
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  // One target that meets a fault of ours must not blind us to all the others: its own check ends at the deadline.
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

/** How many checks of teams a process with these limits (text of `/proc/self/limits`) may run at once. */
export function maxConcurrent(limits: string | null): number {
  const openFiles = maxOpenFiles(limits);
  if (openFiles === null) return DEFAULT_MAX_CONCURRENT;
  const checks = Math.floor((openFiles - RESERVED_FILES) / FILES_PER_CHECK) - URGENT_SLOTS;
  return Math.max(16, Math.min(MAX_CONCURRENT, checks));
}

/** Infinity without a limit, null where it is not known. */
export function maxOpenFiles(limits: string | null): number | null {
  const openFiles = /^Max open files\s+(\d+|unlimited)/m.exec(limits ?? '')?.[1];
  if (openFiles === undefined) return null;
  return openFiles === 'unlimited' ? Infinity : Number(openFiles);
}

/** Collects what is to be sent until the end of the turn: one message costs much more than one more entry in it. */
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
    // A parent that has gone is told by 'disconnect'.
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
    answer(id: number, result: ProbeAnswer): void {
      (collect().results ??= []).push([id, result]);
    },
    log: {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    } satisfies Log,
  };
}
