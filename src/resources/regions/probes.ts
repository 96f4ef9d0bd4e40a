import { z } from 'zod';
import type { ProbeInfo } from '../../engine/bus/contract.ts';
import { isoTime } from '../common/time.ts';

/** A probe of a region, in answers. */
export const probeSchema = z
  .object({
    vantage: z.string().meta({ description: 'Name of the place that it probes from.' }),
    version: z.string().meta({ description: 'Release of its program.' }),
    last_seen_at: z.iso.datetime().meta({ description: 'Its last sign of life.' }),
    takes_checks: z.boolean().meta({
      description:
        'False when it is silent, is stopping, or is of a release too far from this one.',
    }),
    checks_running: z.int().meta({ description: 'Checks in progress, in all its regions.' }),
    checks_waiting: z.int().meta({ description: 'Checks that wait for a slot.' }),
    slots: z.int().meta({ description: 'Maximum number of concurrent checks.' }),
  })
  .meta({ id: 'Probe', description: 'A program that checks from a region.' });

export function viewProbes(probes: readonly ProbeInfo[]): z.input<typeof probeSchema>[] {
  return probes.map(({ vantage, version, seenAt, takesChecks, load }) => {
    const sum = (name: 'running' | 'waiting' | 'capacity') =>
      load.reduce((total, one) => total + one[name], 0);
    return {
      vantage,
      version,
      last_seen_at: isoTime(seenAt),
      takes_checks: takesChecks,
      checks_running: sum('running'),
      checks_waiting: sum('waiting'),
      slots: sum('capacity'),
    };
  });
}
