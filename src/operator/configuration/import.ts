import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MAX_KEY_LENGTH, SET_NAME } from '../../configuration/document.ts';
import { IMPORTERS } from '../../configuration/import/index.ts';
import {
  ImportError,
  type Imported,
  type Importer,
  type ImportSource,
} from '../../configuration/import/importer.ts';
import { isDatabase, readKumaDatabase } from '../../configuration/import/kuma-database.ts';
import { uptimeKuma } from '../../configuration/import/uptime-kuma.ts';
import { writeConfiguration, type NamedSecret } from '../../configuration/write.ts';
import { CommandError, EXIT, textOption, type ConfigurationCommand } from '../command.ts';
import { requireNewFile } from '../files.ts';
import type { HistoryFile } from './history.ts';
import { shown } from './print.ts';

const MAX_FILE_BYTES = 256 * 1024 * 1024;

export const importFile: ConfigurationCommand['run'] = async ({ now }, given, output) => {
  const [service, file] = given.positionals;
  const importer = IMPORTERS.find(({ name }) => name === service);
  if (importer === undefined || file === undefined) {
    throw new CommandError(servicesText(service));
  }
  const team = textOption(given, 'team');
  const imported = await read(importer, file, { now: now(), ...(team !== null && { team }) });
  const name = textOption(given, 'name') ?? imported.document.name;
  if (!SET_NAME.test(name) || name.length > MAX_KEY_LENGTH) {
    throw new CommandError('--name must be lower-case letters, digits and hyphens.');
  }
  const { text, secrets } = writeConfiguration({ ...imported.document, name });
  const folder = textOption(given, 'out') ?? '.';
  const setFile = path.join(folder, `${name}.yaml`);
  const secretsFile = path.join(folder, `${name}.secrets.env`);
  const values = environmentText(secrets);
  const historyFile = path.join(folder, `${name}.history.json`);
  const { history = [] } = imported;
  const written = [
    setFile,
    ...(values.text === '' ? [] : [secretsFile]),
    ...(history.length === 0 ? [] : [historyFile]),
  ];
  for (const one of written) await requireNewFile(one, given);
  await mkdir(folder, { recursive: true });
  // A new file, since one that is overwritten would keep its permissions.
  for (const one of written) await rm(one, { force: true });
  const options = { mode: 0o600, flag: 'wx' };
  await writeFile(setFile, text, options);
  if (values.text !== '') await writeFile(secretsFile, values.text, options);
  if (history.length > 0) {
    const found: HistoryFile = { set: name, source: importer.title, monitors: history };
    await writeFile(historyFile, JSON.stringify(found), options);
  }

  if (given.options['json'] === true) {
    const report = { files: written, report: imported.report, history };
    await output.out(`${JSON.stringify(report, null, 2)}\n`);
    return EXIT.done;
  }
  await output.out(reportText(imported.report));
  await output.out(`Wrote ${written.join(' and ')}.\n`);
  if (values.text !== '') await output.note(`Keep ${secretsFile} out of version control.`);
  if (values.unwritten.length > 0) {
    await output.note(
      `Set these variables yourself, as ${file} lacks their values, or an --env-file can't hold them: ${values.unwritten.join(', ')}.`,
    );
  }
  const environment = values.text === '' ? '' : ` --env-file ${secretsFile}`;
  await output.note(`Go on with: tocsin plan ${setFile}${environment}`);
  if (imported.document.monitors?.some((one) => 'ping_aliases' in one)) {
    await output.note(
      `Once it is applied, the addresses that jobs call at ${importer.title} work at Tocsin, too: change only their scheme and host.`,
    );
  }
  if (history.length > 0) await output.note(`Once it is applied: tocsin history ${historyFile}`);
  return EXIT.done;
};

/** Imports a file. @throws CommandError */
async function read(importer: Importer, file: string, given: Omit<ImportSource, 'file' | 'text'>) {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} can't be read (${error.code}).`);
  });
  if (!found.isFile()) throw new CommandError(`${file} is no file.`);
  try {
    if (importer === uptimeKuma && isDatabase(file))
      return importer.read({ ...given, ...readKumaDatabase(file, given.now) });
    if (found.size > MAX_FILE_BYTES) throw new CommandError(`${file} has more than 256 MiB.`);
    const text = (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
    return importer.read({ ...given, file: path.basename(file), text });
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    const { line, column, message } = error;
    throw new CommandError(line === null ? message : `${file}:${line}:${column ?? 1}: ${message}`);
  }
}

function servicesText(service: string | undefined): string {
  const known = IMPORTERS.find(({ name }) => name === service);
  if (known !== undefined) return `Name a file of ${known.title}, too.\n${known.takes}`;
  const list = IMPORTERS.map(({ name, title, takes }) => `  ${name}  ${title}: ${takes}`);
  const reason =
    service === undefined
      ? 'Name a service and a file that it exported.'
      : `There is no import of "${shown(service)}".`;
  return [reason, 'Services, and what to give:', ...list].join('\n');
}

/** What became of each thing, and their numbers. */
function reportText(report: Imported['report']): string {
  const marks = { imported: '+', changed: '~', left_out: '-' } as const;
  const lines = report.flatMap(({ source, outcome, item, notes }) => [
    `${marks[outcome]} ${shown(source)}${item === null ? ': left out' : `  ${item.section} ${item.key}`}`,
    ...notes.map((note) => `    ${shown(note)}`),
  ]);
  const count = (outcome: keyof typeof marks) =>
    report.filter((one) => one.outcome === outcome).length;
  lines.push(
    `${count('imported')} imported, ${count('changed')} imported with changes, ${count('left_out')} left out.`,
  );
  return `${lines.join('\n')}\n`;
}

/** Secrets as `NAME='value'`, which `--env-file` and programs like it read; the names of those that can't be written so. */
export function environmentText(secrets: readonly NamedSecret[]) {
  const lines: string[] = [];
  const unwritten: string[] = [];
  for (const { variable, value } of secrets) {
    // Double quotes are not among them: escapes in them differ from program to program.
    const quote = value === null ? undefined : ["'", '`'].find((one) => !value.includes(one));
    if (quote === undefined || value!.includes('\0') || value!.includes('\r'))
      unwritten.push(variable);
    else lines.push(`${variable}=${quote}${value}${quote}\n`);
  }
  return { text: lines.join(''), unwritten };
}
