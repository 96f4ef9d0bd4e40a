import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../lib/log.ts';
import { findBuilds, type Build, ensureBuild, type BuildPlaces } from './builds.ts';
import { EXTENSIONS, type BuiltFile, type FileEncoding, type Manifest } from './manifest.ts';

/** The dashboard as it is served. */
export interface Dashboard {
  /** Resolves once it is built, to null when that failed. Never rejects. */
  manifest(): Promise<Manifest | null>;
  /** Finds a file by its name; null if there is none. Never rejects. */
  file(name: string): Promise<DashboardFile | null>;
}

/** A file of the dashboard. */
export interface DashboardFile extends BuiltFile {
  /** Reads it in an encoding that `encoded` names, or as it is for null. The bytes stay in memory. */
  read(encoding: FileEncoding | null): Promise<Buffer>;
}

/** A dashboard that was not built. Its pages say so. */
export const NO_DASHBOARD: Dashboard = { manifest: async () => null, file: async () => null };

interface Opened {
  manifest: Manifest;
  files: ReadonlyMap<string, DashboardFile>;
}

/**
 * Opens the dashboard. It is built meanwhile, if there is no build of this source yet: the caller need not wait. A build
 * that fails is logged, and the service goes on without dashboard.
 */
export function openDashboard({
  places,
  log,
}: {
  places: BuildPlaces;
  log: Log;
}): Dashboard & { stop(): Promise<void> } {
  const stopping = new AbortController();
  const opening = open(places, stopping.signal).catch((error: unknown) => {
    if (!stopping.signal.aborted)
      // Log: The service works without its dashboard; pages say so. The error names what
      // is missing or wrong. Restart the service afterwards.
      log.error({ error }, 'The dashboard could not be built.');
    return null;
  });
  return {
    manifest: async () => (await opening)?.manifest ?? null,
    file: async (name) => (await opening)?.files.get(name) ?? null,
    async stop() {
      stopping.abort();
      await opening;
    },
  };
}

async function open(places: BuildPlaces, signal: AbortSignal): Promise<Opened> {
  const current = await ensureBuild(places, signal);
  // Pages that are open in browsers load their parts by and by: an upgrade must not take them away.
  const earlier = await findBuilds(places.places);
  const files = [...earlier, current].flatMap(filesOf);
  return { manifest: current.manifest, files: new Map(files.map((file) => [file.name, file])) };
}

function filesOf({ folder, manifest }: Build): DashboardFile[] {
  return manifest.files.map((file) => {
    const known = new Map<FileEncoding | null, Promise<Buffer>>();
    const load = (encoding: FileEncoding | null): Promise<Buffer> => {
      const name = file.name + (encoding === null ? '' : EXTENSIONS[encoding]);
      const reading = readFile(path.join(folder, name));
      known.set(encoding, reading);
      reading.catch(() => known.delete(encoding));
      return reading;
    };
    return { ...file, read: (encoding) => known.get(encoding) ?? load(encoding) };
  });
}
