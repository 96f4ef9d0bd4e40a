import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Something fresh for a test, and how it is removed after it. */
export interface Fresh {
  place: string;
  remove(): Promise<void>;
}

/** An empty folder. */
export async function freshDirectory(): Promise<Fresh> {
  const place = mkdtempSync(join(tmpdir(), 'tocsin-store-'));
  return { place, remove: async () => rmSync(place, { recursive: true, force: true }) };
}
