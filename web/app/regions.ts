import { listRegions } from '../client/sdk.gen.ts';
import { useRead } from './api.ts';

/** Regions of the installation, with the machine that each is checked from. */
export function useRegions() {
  return useRead(['installation', 'regions'], () => listRegions());
}
