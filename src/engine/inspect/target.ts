import { isIP } from 'node:net';
import { getDomain } from 'tldts';
import { hostOf } from '../../lib/url-host.ts';
import type { Region } from '../../model/monitor.ts';
import type { Regions } from '../../model/regions.ts';
import {
  INSPECTION_KINDS,
  type InspectionKind,
  type InspectionRequest,
  type InspectionResult,
} from '../../model/inspection.ts';

export interface InspectedMonitor {
  type: string;
  url: string;
  port: number | null;
  checkTypes: readonly string[];
  /** Where its inspections run; null, as unless given, at any probe of a shared region. */
  place?: Place | null;
}

/** A private region, and the team that its inspections are of. */
export interface Place {
  teamId: number;
  region: Region;
}

/**
 * Where the inspections of a monitor run: in a private region of its team if no shared region checks the monitor, since
 * its target may be reachable, and known, only there. A region that exists no longer counts as private: its inspections
 * find nothing out. Null for any shared region.
 */
export function placeOfInspections(
  regions: Pick<Regions, 'isShared' | 'isPrivateOf'>,
  teamId: number,
  monitored: readonly Region[],
): Place | null {
  if (monitored.length === 0 || monitored.some((code) => regions.isShared(code))) return null;
  const own = monitored.find((code) => regions.isPrivateOf(teamId, code));
  return { teamId, region: own ?? monitored[0]! };
}

/**
 * The name under which an inspection is stored. What is seen inside a private region is another thing than what is seen
 * outside, even under one name, and no other team may learn of it: so the place is part of the name.
 */
export function storedTarget(target: string, place: Place | null): string {
  return place === null ? target : `${place.region}@${place.teamId} ${target}`;
}

/** Reads a name as `storedTarget` writes it; targets themselves have no spaces. */
export function readStoredTarget(stored: string): { target: string; place: Place | null } {
  const [, region, teamId, target] = /^([^@ ]+)@(\d+) (.*)$/.exec(stored) ?? [];
  return region === undefined
    ? { target: stored, place: null }
    : { target: target!, place: { region, teamId: Number(teamId) } };
}

/** The target, the same for all monitors that share it, or a sentence that says why there is none. */
export type InspectionTarget = { target: string } | { reason: string };

/** The target of each inspection that is switched on. Pure. */
export function inspectionTargets(monitor: InspectedMonitor) {
  const targets: Partial<Record<InspectionKind, InspectionTarget>> = {};
  const host = hostOf(monitor.url)?.toLowerCase().replace(/\.$/, '') ?? null;
  for (const kind of INSPECTION_KINDS) {
    if (!monitor.checkTypes.includes(kind)) continue;
    targets[kind] = host === null ? never(kind, 'the url has no host') : FIND[kind](host, monitor);
  }
  return targets;
}

/** The inspections that do run, by the names that they are stored under, in the order of INSPECTION_KINDS. */
export function assignedTargets(monitor: InspectedMonitor): [InspectionKind, string][] {
  const targets = inspectionTargets(monitor);
  return INSPECTION_KINDS.flatMap((kind) => {
    const found = targets[kind];
    const { place = null } = monitor;
    return found && 'target' in found ? [[kind, storedTarget(found.target, place)]] : [];
  });
}

export function runningInspections(monitor: InspectedMonitor): InspectionKind[] {
  return assignedTargets(monitor).map(([kind]) => kind);
}

/**
 * The name under which registries sell: `example.co.uk` of `www.example.co.uk`. What providers give away below names
 * of their own (`github.io`) is registered nowhere. Null of an address, and of a name without a public suffix.
 */
export function registrableDomain(host: string): string | null {
  return getDomain(host, { allowPrivateDomains: false, validateHostname: false });
}

export function inspectionRequest(
  kind: InspectionKind,
  target: string,
  timeoutMs: number,
): InspectionRequest {
  if (kind === 'dns') return { kind, host: target, timeoutMs };
  if (kind === 'domain') return { kind, domain: target, timeoutMs };
  const colon = target.lastIndexOf(':');
  return { kind, host: target.slice(0, colon), port: Number(target.slice(colon + 1)), timeoutMs };
}

function never(kind: InspectionKind, why: string): InspectionTarget {
  return { reason: `The check ${kind} never runs: ${why}.` };
}

const HTTPS_PORT = 443;

const FIND: Record<InspectionKind, (host: string, monitor: InspectedMonitor) => InspectionTarget> =
  {
    ssl(host, { url }) {
      const parsed = URL.parse(url);
      if (parsed?.protocol !== 'https:') return never('ssl', 'the url is not https');
      return { target: `${host}:${parsed.port === '' ? HTTPS_PORT : parsed.port}` };
    },
    dns(host) {
      if (isIP(host) !== 0) return never('dns', 'the url holds an address, not a name');
      return { target: host };
    },
    domain(host) {
      if (isIP(host) !== 0) return never('domain', 'the url holds an address, not a name');
      const domain = registrableDomain(host);
      if (domain !== null) return { target: domain };
      return never('domain', `${host} is below no domain that can be registered`);
    },
  };

/**
 * Runs an inspection where its target belongs: one of a private region there and nowhere else, and only while the region
 * belongs to the team that the inspection is of. Never rejects; `unknown` without a probe there.
 *
 * @param stored the target by the name under which its inspection is stored.
 */
export async function inspectTarget<Kind extends InspectionKind>(
  deps: {
    bus: { inspect(request: InspectionRequest, region?: Region): Promise<InspectionResult> };
    regions: Pick<Regions, 'isForeign'>;
  },
  kind: Kind,
  stored: string,
  timeoutMs: number,
): Promise<InspectionResult<Kind>> {
  const { target, place } = readStoredTarget(stored);
  if (place !== null && deps.regions.isForeign(place.teamId, place.region))
    return { state: 'unknown', reason: 'No probe is running' };
  const request = inspectionRequest(kind, target, timeoutMs);
  // A result has the kind of its request.
  return (await deps.bus.inspect(request, place?.region)) as InspectionResult<Kind>;
}
