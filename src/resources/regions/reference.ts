import { z } from 'zod';
import { operations } from '../common/operation.ts';

const region = z
  .object({
    code: z.string().meta({ description: 'As in `monitored_regions`.' }),
    title: z.string().meta({ description: 'Name of the region.' }),
    vantage: z.string().nullable().meta({
      description:
        'Name of the machine that probes for the region. Regions with the same vantage are probed from the same place. Null when the region has no known probe.',
    }),
    is_live: z.boolean().meta({
      description: 'True when a probe of the region was seen within the last 30 seconds.',
    }),
  })
  .meta({ id: 'Region', description: 'Location from which monitors are checked.' });

export const REGION_OPERATIONS = operations('Monitors', {
  listRegions: {
    summary: 'List the regions',
    description:
      'Regions of this installation in their order, with the machine that probes for each. On a single machine, all regions share one vantage point.',
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
});
