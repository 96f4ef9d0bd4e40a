import { createRegions } from '../../src/model/regions.ts';

/** An installation without private regions: no region is closed to any team. */
export const NO_PRIVATE_REGIONS = createRegions([]);
