import { z } from 'zod';
import type { Operation } from '../common/operation.ts';

const region = z
  .object({
    code: z.string().meta({ description: 'As in `monitored_regions`.' }),
    title: z.string().meta({ description: 'The name of the region for people.' }),
    vantage: z.string().nullable().meta({
      description:
        'Name of the machine that probes for the region. Regions with the same vantage are probed from one place. Null when no probe of the region is known.',
    }),
    is_live: z
      .boolean()
      .meta({ description: 'Whether a probe of the region was alive within the last 30 seconds.' }),
  })
  .meta({ id: 'Region', description: 'A place that monitors are checked from.' });

export const REGION_OPERATIONS = {
  listRegions: {
    tag: 'Monitors',
    summary: 'List the regions',
    description:
      'The regions of this installation in their order, and where each is really probed from. On one machine all regions share one vantage point.',
    answer: z
      .object({ data: z.array(region) })
      .meta({ id: 'RegionList', description: 'The regions of the installation.' }),
    example: {
      answer: {
        data: [
          { code: 'ash', title: 'Ashburn', vantage: 'office', is_live: true },
          { code: 'pdx', title: 'Portland', vantage: 'office', is_live: true },
        ],
      },
    },
  },
} satisfies Record<string, Operation>;
