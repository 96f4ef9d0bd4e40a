import type { Bus } from '../../engine/bus/contract.ts';
import { inspectionRequest, inspectionTargets } from '../../engine/inspect/target.ts';
import type { InspectedMonitor, InspectionTarget } from '../../engine/inspect/target.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Failure } from '../../model/failure.ts';
import type { FactsOf, InspectionKind, InspectionResult } from '../../model/inspection.ts';
import type { Database } from '../../store/database/contract.ts';
import { findInspection } from '../../store/engine/inspections.ts';

/** What became of an inspection that a person waits for. */
export type Inspected<Kind extends InspectionKind> =
  /** `at`: epoch milliseconds at which the facts were found. */
  | { state: 'known'; target: string; facts: FactsOf[Kind]; at: number }
  | { state: 'failed'; failure: Failure }
  /** A whole sentence. */
  | { state: 'not_run'; reason: string };

/** Of each inspection that is switched on. */
export type Inspections = { [Kind in InspectionKind]?: Inspected<Kind> };

/** Inspects what a monitor wants at once, within that many milliseconds and the margin of the bus. */
type InspectNow = (monitor: InspectedMonitor, timeoutMs: number) => Promise<Inspections>;

/** Registries want to be asked seldom, and registrations hardly change: what is younger is good enough. */
const REGISTRATION_KEPT_MS = 24 * 3_600_000;

export function createInspectNow(deps: {
  database: Pick<Database, 'read'>;
  bus: Pick<Bus, 'inspect'>;
  clock: Clock;
}): InspectNow {
  const { database, bus, clock } = deps;

  async function ask<Kind extends InspectionKind>(
    kind: Kind,
    target: string,
    endsAt: number,
  ): Promise<Inspected<Kind>> {
    const left = Math.max(1, Math.floor(endsAt - clock.monotonic()));
    // The request is of that kind, and so is what comes back.
    const result = (await bus.inspect(
      inspectionRequest(kind, target, left),
    )) as InspectionResult<Kind>;
    if (result.state === 'unknown') return notFoundOut(result.reason);
    return result.state === 'known' ? { ...result, target, at: clock.now() } : result;
  }

  /** What the schedule has found out lately; else the registry is asked, unless it wants to be left alone. */
  async function askRegistry(domain: string, endsAt: number): Promise<Inspected<'domain'>> {
    const kept = await findInspection(database.read, 'domain', domain);
    const now = clock.now();
    if (kept?.facts && kept.knownAt !== null && now - kept.knownAt < REGISTRATION_KEPT_MS) {
      return { state: 'known', target: domain, facts: kept.facts, at: kept.knownAt };
    }
    if (kept?.result?.state === 'unknown' && kept.inspectedAt !== null) {
      const { reason, retryAfterMs = 0 } = kept.result;
      if (now < kept.inspectedAt + retryAfterMs) return notFoundOut(reason);
    }
    return ask('domain', domain, endsAt);
  }

  return async (monitor, timeoutMs) => {
    const endsAt = clock.monotonic() + timeoutMs;
    const { ssl, dns, domain } = inspectionTargets(monitor);
    const found = await Promise.all([
      ssl && unlessNever(ssl, (target) => ask('ssl', target, endsAt)),
      dns && unlessNever(dns, (target) => ask('dns', target, endsAt)),
      domain && unlessNever(domain, (target) => askRegistry(target, endsAt)),
    ]);
    return {
      ...(found[0] && { ssl: found[0] }),
      ...(found[1] && { dns: found[1] }),
      ...(found[2] && { domain: found[2] }),
    };
  };
}

async function unlessNever<Kind extends InspectionKind>(
  wanted: InspectionTarget,
  find: (target: string) => Promise<Inspected<Kind>>,
): Promise<Inspected<Kind>> {
  return 'target' in wanted ? find(wanted.target) : { state: 'not_run', reason: wanted.reason };
}

function notFoundOut(reason: string): { state: 'not_run'; reason: string } {
  return { state: 'not_run', reason: `Nothing was found out: ${reason}.` };
}
