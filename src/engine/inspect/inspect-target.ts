import type {
  InspectionKind,
  InspectionRequest,
  InspectionResult,
} from '../../model/inspection.ts';
import type { Region } from '../../model/monitor.ts';
import type { Regions } from '../../model/regions.ts';
import { inspectionRequest, readStoredTarget } from './target.ts';

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
