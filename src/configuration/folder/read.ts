import type { ConfigurationDocument } from '../document.ts';
import { readConfiguration } from '../files.ts';
import type { ConfigurationError, Place } from '../load.ts';

export interface ReadRequest {
  folder: string;
  /** Where references to variables find their values. */
  environment: Record<string, string | undefined>;
  /** Paths of the document whose places are wanted. */
  paths: string[];
}

export type ReadAnswer =
  | { errors: ConfigurationError[] }
  | {
      document: ConfigurationDocument;
      prune: boolean;
      maxDeletions: number | null;
      /** Of the paths that were asked for, in their order; null for what has no place. */
      places: (Place | null)[];
    };

/** Reads a folder of configuration files, as data that processes can send each other. */
export async function readFolder(request: ReadRequest): Promise<ReadAnswer> {
  const { folder, environment, paths } = request;
  const loaded = await readConfiguration([folder], { environment });
  if ('errors' in loaded) return loaded;
  const { document, prune, maxDeletions, placeOf } = loaded;
  return { document, prune, maxDeletions, places: paths.map(placeOf) };
}
