import { z } from 'zod';
import { queryNumber } from '../common/input.ts';
import { UNSORTED_PAGE_QUERY } from '../common/page.ts';

export const sloListQuery = z.object({
  monitor_id: queryNumber(1, Number.MAX_SAFE_INTEGER, 'a whole number')
    .optional()
    .meta({ description: 'Only the SLO of this monitor; the list is empty without one.' }),
  ...UNSORTED_PAGE_QUERY,
});
