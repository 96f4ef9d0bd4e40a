import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from './scratch.ts';

/** Something fresh for a test, and how it is removed after it. */
export interface Fresh {
  place: string;
  remove(): Promise<void>;
}

/** An empty folder. */
export async function freshDirectory(): Promise<Fresh> {
  const place = mkdtempSync(join(scratchFolder(), 'tocsin-store-'));
  return { place, remove: async () => rmSync(place, { recursive: true, force: true }) };
}
