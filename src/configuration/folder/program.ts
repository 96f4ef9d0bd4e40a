/** Program of the child process that reads folders of configuration files, so that none of them stalls the server. */
import { serveJob } from '../../lib/child-jobs.ts';
import type { ConfigurationDocument } from '../document.ts';
import { readConfiguration } from '../files.ts';
import { placed, type ConfigurationError } from '../places.ts';

export interface ReadRequest {
  folder: string;
  /** Where references to variables find their values. */
  environment: Record<string, string | undefined>;
  /** What a server refused of the document, by places in it: answered as errors of the files. */
  refused?: Record<string, string[]>;
}

export type ReadAnswer =
  | { errors: ConfigurationError[] }
  | { document: ConfigurationDocument; prune: boolean; maxDeletions: number | null };

serveJob(async ({ folder, environment, refused }: ReadRequest): Promise<ReadAnswer> => {
  const loaded = await readConfiguration([folder], { environment });
  if ('errors' in loaded) return loaded;
  if (refused !== undefined) {
    const { errors, others } = placed(refused, loaded);
    const ofFolder = others.map((message) => ({ file: folder, line: 1, column: 1, message }));
    return { errors: [...ofFolder, ...errors] };
  }
  const { document, prune, maxDeletions } = loaded;
  return { document, prune, maxDeletions };
});
