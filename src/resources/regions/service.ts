import type { FleetBus } from '../../engine/bus/contract.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Region } from '../../model/monitor.ts';
import type { Regions } from '../../model/regions.ts';
import { viewProbes, probeSchema } from './probes.ts';
import { PROBE_ALIVE_MS } from '../checks/monitor-check.ts';
import { type Call, noun } from '../common/operation.ts';
import { z } from 'zod';

interface RegionServiceDeps {
  bus: Pick<FleetBus, 'lastSeen' | 'vantageOf' | 'probesOf'>;
  clock: Pick<Clock, 'now'>;
  regions: Regions;
}

/** Lists the regions that the team may use, and the machines that probe for them (contract 14.20). */
export function createListRegions({ bus, clock, regions }: RegionServiceDeps) {
  const isLive = (code: Region) =>
    (bus.lastSeen(code) ?? -Infinity) >= clock.now() - PROBE_ALIVE_MS;
  return ({ caller }: Call) => {
    return {
      data: regions.of(caller.team.id).map(({ code, title, isPrivate }) => ({
        code,
        title,
        ...(isPrivate && { is_private: true }),
        vantage: bus.vantageOf(code),
        is_live: isLive(code),
        probes: viewProbes(bus.probesOf(code)),
      })),
    };
  };
}

const region = z
  .object({
    code: z.string().meta({ description: 'As in `monitored_regions`.' }),
    title: z.string().meta({ description: 'Name of the region.' }),
    is_private: z.literal(true).optional().meta({
      description: 'True for a region of your team alone; absent for one that all teams share.',
    }),
    vantage: z.string().nullable().meta({
      description:
        'Name of the place that probes for the region. Regions with the same vantage are probed from the same place. Null when the region has no known probe, or probes in several places.',
    }),
    is_live: z.boolean().meta({
      description: 'True when a probe of the region was seen within the last 30 seconds.',
    }),
    probes: z.array(probeSchema).meta({
      description: 'Its probes of the last hour, the one seen last first.',
    }),
  })
  .meta({ id: 'Region', description: 'Location from which monitors are checked.' });

const PROBE = {
  vantage: 'office',
  version: '0.1.0',
  last_seen_at: '2030-01-01T00:00:00.000Z',
  takes_checks: true,
  checks_running: 3,
  checks_waiting: 0,
  slots: 9_904,
};

export const listRegions = noun('Monitors', createListRegions, {
  listRegions: {
    at: 'GET /regions',
    summary: 'List the regions',
    description:
      'Regions of this installation in their order, then the private ones of your team, with the machine that probes for each. On a single machine, all regions share one vantage point. A probe on another machine is a second place: start Tocsin there with `ROLES=probe`, the name of its region in `PROBE_REGIONS`, and the key that `npm run tocsin -- probe key REGION` prints (docs/configuration.md, "Probes on other machines").',
    answer: z
      .object({ data: z.array(region) })
      .meta({ id: 'RegionList', description: 'The regions that your team may use.' }),
    example: {
      answer: {
        data: [
          { code: 'ash', title: 'Ashburn', vantage: 'office', is_live: true, probes: [PROBE] },
          { code: 'pdx', title: 'Portland', vantage: null, is_live: false, probes: [] },
        ],
      },
    },
  },
});
