/** Program of the child process that reads files of other services. */
import { serveJob } from '../../lib/child-jobs.ts';
import { ImportError, type Imported, type ImportSource } from './importer.ts';
import { IMPORTERS } from './index.ts';

export interface ImportRequest extends ImportSource {
  /** Name of an importer. */
  service: string;
}

/** What was read, or why it can't be. */
export type ImportAnswer =
  | { imported: Imported }
  | { refusal: string; line: number | null; column: number | null };

serveJob(async ({ service, ...source }: ImportRequest): Promise<ImportAnswer> => {
  try {
    return { imported: IMPORTERS.find(({ name }) => name === service)!.read(source) };
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    const { message, line, column } = error;
    return { refusal: message, line, column };
  }
});
