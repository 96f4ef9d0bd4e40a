import { setServers } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { CheckRequest, CheckResult } from '../../model/check.ts';
import type { InspectionRequest, InspectionResult } from '../../model/inspection.ts';
import type { MachineReport, MachineRequest } from '../../model/machine.ts';
import { createAddressGuard, parseAllowPrivateTargets } from '../../net/address-guard.ts';
import { createResolver } from '../../net/resolver.ts';
import { shareLookups } from '../../net/shared-lookups.ts';
import { createAgent, URGENT_SLOTS } from './agent.ts';
import { createMachineInspector } from './machine.ts';
import type { Inspectors, Registry } from './registry.ts';
import { memoize } from '../../lib/memoize.ts';

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
function maxOpenFiles(limits: string | null): number | null {
  const openFiles = /^Max open files\s+(\d+|unlimited)/m.exec(limits ?? '')?.[1];
  if (openFiles === undefined) return null;
  return openFiles === 'unlimited' ? Infinity : Number(openFiles);
}

/** MAC address of loopback and tunnel interfaces; the far end of a tunnel is reached through the uplink. */
const NO_HARDWARE = '00:00:00:00:00:00';
const REFRESH_AFTER_MS = 10_000;
const MAX_KNOWN_ADDRESSES = 20_000;
/** Larger networks are not treated as directly attached. */
const MIN_PREFIX = { ipv4: 8, ipv6: 32 };

type Interfaces = ReturnType<typeof networkInterfaces>;

/**
 * Marks results of targets on this machine or a directly attached network: they say nothing about the uplink. Reads the
 * interfaces at most once in 10 s.
 */
export function createOnLinkMarker(clock: Clock, interfaces: () => Interfaces = networkInterfaces) {
  let isOnLink: ((address: string) => boolean) | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return <Result extends { remoteAddress: string | null; isOnLink?: true }>(result: Result) => {
    const { remoteAddress } = result;
    if (remoteAddress === null) return result;
    if (isOnLink === null || clock.monotonic() - lookedAt >= REFRESH_AFTER_MS) {
      lookedAt = clock.monotonic();
      const networks = networksOf(interfaces());
      isOnLink = memoize((address) => isWithin(networks, address), MAX_KNOWN_ADDRESSES);
    }
    return isOnLink(remoteAddress) ? { ...result, isOnLink: true } : result;
  };
}

function networksOf(interfaces: Interfaces): BlockList {
  const networks = new BlockList();
  networks.addSubnet('127.0.0.0', 8, 'ipv4');
  networks.addAddress('::1', 'ipv6');
  for (const { address, family, mac, cidr } of Object.values(interfaces).flatMap(
    (list) => list ?? [],
  )) {
    const kind = family === 'IPv4' ? 'ipv4' : 'ipv6';
    const prefix = Number(cidr?.split('/')[1]);
    const isAttached = mac !== NO_HARDWARE && prefix >= MIN_PREFIX[kind];
    if (isAttached) networks.addSubnet(address, prefix, kind);
    else networks.addAddress(address, kind);
  }
  return networks;
}

/** Whether the list contains the address; an IPv4-mapped address counts as IPv4. */
function isWithin(networks: BlockList, text: string): boolean {
  const address = text.replace(/%.*$/, '');
  const family = isIP(address);
  return family !== 0 && networks.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
