import type { Bus } from '../../engine/bus/contract.ts';
import {
  inspectTarget,
  inspectionTargets,
  storedTarget,
  type InspectedMonitor,
  type InspectionTarget,
  type Place,
} from '../../engine/inspect/target.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Failure } from '../../model/failure.ts';
import type { FactsOf, InspectionKind } from '../../model/inspection.ts';
import type { Regions } from '../../model/regions.ts';
import type { Database } from '../../store/database/contract.ts';
import { findInspection } from '../../store/engine/inspections.ts';

/** Outcome of an inspection during a manual check. */
export type Inspected<Kind extends InspectionKind> =
  /** `at`: epoch milliseconds at which the facts were found. */
  | { state: 'known'; target: string; facts: FactsOf[Kind]; at: number }
  | { state: 'failed'; failure: Failure }
  /** `reason` is a sentence. */
  | { state: 'not_run'; reason: string };

/** Outcomes of the active inspections. */
export type Inspections = { [Kind in InspectionKind]?: Inspected<Kind> };

/** Runs the active inspections of a monitor at once, within `timeoutMs` and the margin of the bus. */
type InspectNow = (monitor: InspectedMonitor, timeoutMs: number) => Promise<Inspections>;

/** Where an inspection runs, and until when by the monotonic clock. */
interface Where {
  place: Place | null;
  endsAt: number;
}

/** Maximum age of a stored registration. Registries limit requests, and registrations rarely change. */
const MAX_REGISTRATION_AGE_MS = 24 * 3_600_000;

export function createInspectNow(deps: {
  database: Pick<Database, 'read'>;
  bus: Pick<Bus, 'inspect'>;
  regions: Pick<Regions, 'isForeign'>;
  clock: Clock;
}): InspectNow {
  const { database, clock } = deps;

  async function inspect<Kind extends InspectionKind>(
    kind: Kind,
    target: string,
    { place, endsAt }: Where,
  ): Promise<Inspected<Kind>> {
    const left = Math.max(1, Math.floor(endsAt - clock.monotonic()));
    const result = await inspectTarget(deps, kind, storedTarget(target, place), left);
    if (result.state === 'unknown') return withoutResult(result.reason);
    return result.state === 'known' ? { ...result, target, at: clock.now() } : result;
  }

  /** Uses the stored registration if it is recent, and respects the registry's retry delay. */
  async function inspectDomain(domain: string, where: Where): Promise<Inspected<'domain'>> {
    const stored = storedTarget(domain, where.place);
    const kept = await findInspection(database.read, 'domain', stored);
    const now = clock.now();
    if (kept?.facts && kept.knownAt !== null && now - kept.knownAt < MAX_REGISTRATION_AGE_MS) {
      return { state: 'known', target: domain, facts: kept.facts, at: kept.knownAt };
    }
    if (kept?.result?.state === 'unknown' && kept.inspectedAt !== null) {
      const { reason, retryAfterMs = 0 } = kept.result;
      if (now < kept.inspectedAt + retryAfterMs) return withoutResult(reason);
    }
    return inspect('domain', domain, where);
  }

  return async (monitor, timeoutMs) => {
    const where = { place: monitor.place ?? null, endsAt: clock.monotonic() + timeoutMs };
    const { ssl, dns, domain } = inspectionTargets(monitor);
    const found = await Promise.all([
      ssl && unlessImpossible(ssl, (target) => inspect('ssl', target, where)),
      dns && unlessImpossible(dns, (target) => inspect('dns', target, where)),
      domain && unlessImpossible(domain, (target) => inspectDomain(target, where)),
    ]);
    return {
      ...(found[0] && { ssl: found[0] }),
      ...(found[1] && { dns: found[1] }),
      ...(found[2] && { domain: found[2] }),
    };
  };
}

async function unlessImpossible<Kind extends InspectionKind>(
  wanted: InspectionTarget,
  find: (target: string) => Promise<Inspected<Kind>>,
): Promise<Inspected<Kind>> {
  return 'target' in wanted ? find(wanted.target) : { state: 'not_run', reason: wanted.reason };
}

function withoutResult(reason: string): { state: 'not_run'; reason: string } {
  return { state: 'not_run', reason: `Nothing was found out: ${reason}.` };
}
