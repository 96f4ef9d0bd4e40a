import { readFile } from 'node:fs/promises';
import type { MonitorHistory } from '../../configuration/import/importer.ts';
import { CommandError, EXIT, type ConfigurationCommand } from '../command.ts';
import { openServer, Refusal } from './server.ts';

/** What `import` writes beside a set: days that the other service observed of its monitors. */
export interface HistoryFile {
  set: string;
  /** Name of the service. */
  source: string;
  monitors: MonitorHistory[];
}

/** Monitors in one request: a year of days of each are some 25 kB. */
const AT_ONCE = 40;

export const importHistory: ConfigurationCommand['run'] = async (context, given, output) => {
  const file = given.positionals[0]!;
  const { set, source, monitors } = await readHistory(file);
  const server = await openServer(context, given);
  let days = 0;
  for (let from = 0; from < monitors.length; from += AT_ONCE) {
    const part = monitors.slice(from, from + AT_ONCE);
    const answer = await server.importDays({ set, source, monitors: part }).catch(refused);
    days += (answer as { days: number }).days;
  }
  await output.out(`Imported: monitors (${monitors.length}), days (${days}).\n`);
  return EXIT.done;
};

async function readHistory(file: string): Promise<HistoryFile> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} can't be read (${error.code}).`);
  });
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    read = null;
  }
  const { set, source, monitors } = (read ?? {}) as Partial<HistoryFile>;
  if (typeof set !== 'string' || typeof source !== 'string' || !Array.isArray(monitors))
    throw new CommandError(`${file} is no file of days that "import" wrote.`);
  return { set, source, monitors };
}

/** The server names places of the request; its sentences say the rest. */
function refused(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  throw new CommandError(Object.values(error.errors).flat().join('\n') || error.message);
}
