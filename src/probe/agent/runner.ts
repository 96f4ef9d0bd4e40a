import { setServers } from 'node:dns';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { CheckRequest, CheckResult } from '../../model/check.ts';
import type { InspectionRequest, InspectionResult } from '../../model/inspection.ts';
import type { MachineReport, MachineRequest } from '../../model/machine.ts';
import type { ProbeLoad } from '../../model/probe-load.ts';
import { createAddressGuard, parseAllowPrivateTargets } from '../../net/address-guard.ts';
import { createOnLinkMarker } from '../../net/on-link.ts';
import { createResolver } from '../../net/resolver.ts';
import { shareLookups } from '../../net/shared-lookups.ts';
import { createAgent, URGENT_SLOTS } from './agent.ts';
import { createMachineInspector } from './machine.ts';
import type { Inspectors, Registry } from './registry.ts';

/** Settings of a probe. Contains no secrets. */
export interface ProbeSettings {
  /** Value of ALLOW_PRIVATE_TARGETS. */
  allowPrivateTargets: string;
  /** DNS_SERVERS; null for the system's. */
  dnsServers: readonly string[] | null;
  /** Path of RDAP_BOOTSTRAP_FILE; null for the built-in table. */
  rdapBootstrapFile: string | null;
}

export type ProbeRequest = CheckRequest | InspectionRequest | MachineRequest;
export type ProbeAnswer = CheckResult | InspectionResult | MachineReport;

/** Runs whatever a probe can be asked for, in this process. */
export type ProbeRunner = ReturnType<typeof createProbeRunner>;

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

export interface ProbeRunnerDeps {
  settings: ProbeSettings;
  /** Content of `/proc/self/limits`; null if unavailable. */
  limits: string | null;
  createRegistry(deps: { clock: Clock; log: Log }): Registry;
  createInspectors(deps: { clock: Clock; log: Log }): Inspectors;
  clock: Clock;
  log: Log;
}

/** Throws if ALLOW_PRIVATE_TARGETS is malformed. */
export function createProbeRunner(deps: ProbeRunnerDeps) {
  const { clock, log, limits } = deps;
  const targets = parseAllowPrivateTargets(deps.settings.allowPrivateTargets);
  if (!targets.ok) throw new Error(targets.message);
  const { dnsServers } = deps.settings;
  // Inspections and the machine's self-checks get their name servers from node:dns.
  if (dnsServers !== null) setServers(dnsServers);
  const agent = createAgent({
    registry: deps.createRegistry({ clock, log }),
    inspectors: deps.createInspectors({ clock, log }),
    resolver: shareLookups(createResolver({ clock, servers: dnsServers }), clock),
    guard: createAddressGuard(targets.value),
    clock,
    log,
    maxConcurrent: maxConcurrent(limits),
  });
  const inspectMachine = createMachineInspector({ clock });
  const markOnLink = createOnLinkMarker(clock);
  const files = maxOpenFiles(limits);
  const openFiles = files === Infinity ? null : files;
  return {
    /** Never rejects. */
    async run(request: ProbeRequest) {
      if (!('kind' in request)) return markOnLink(await agent.run(request));
      return request.kind === 'machine' ? inspectMachine(request) : agent.inspect(request);
    },
    load: () => ({ ...agent.load(), openFiles }),
    /** Aborts what is under way. */
    close: () => agent.close(),
  };
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
