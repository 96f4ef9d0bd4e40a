import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { DiscoveryError } from '../../configuration/discover/discovered.ts';
import { Discovery } from '../../configuration/discover/discovery.ts';
import { FollowedSet } from '../../configuration/discover/followed-set.ts';
import {
  openSource,
  SOURCE_KINDS,
  type SourceKind,
  type SourceSettings,
} from '../../configuration/discover/open-source.ts';
import { appliedBy, type SetServer } from '../../configuration/discover/set-server.ts';
import type { Source } from '../../configuration/discover/source.ts';
import { MAX_KEY_LENGTH, SET_NAME } from '../../configuration/document.ts';
import { writeConfiguration } from '../../configuration/write.ts';
import type { Log } from '../../lib/log.ts';
import {
  CommandError,
  EXIT,
  textOption,
  type CommandInput,
  type ConfigurationCommand,
  type Output,
} from '../command.ts';
import { requireNewFile } from '../files.ts';
import { shown } from './print.ts';
import { openServer, type ConfigurationServer } from './server.ts';

const HOUR_MS = 3_600_000;
const LIST_WITHIN_MS = 60_000;

export const discover: ConfigurationCommand['run'] = async (context, given, output) => {
  const kind = kindOf(given.positionals[0]!);
  const name = textOption(given, 'name') ?? kind;
  if (!SET_NAME.test(name) || name.length > MAX_KEY_LENGTH)
    throw new CommandError('--name must be lower-case letters, digits and hyphens.');
  const keepMs = numberOption(given, 'keep-hours', 24) * HOUR_MS;
  const maxDeletions = numberOption(given, 'max-deletions', 20);
  const { clock } = context;
  const source = openSourceOf(kind, await context.sources(), clock);
  const set = new FollowedSet({ name, keepMs });
  if (given.options['once'] === true) return writeOnce({ source, set, given, output });
  if (textOption(given, 'out') !== null)
    throw new CommandError('--out needs --once: what is followed is applied, not written.');
  const server = setServer(await openServer(context, given));
  const deletesHistory = given.options['delete-history'] === true;
  const discovery = new Discovery({
    source,
    set,
    ...appliedBy(server, { name, maxDeletions, deletesHistory }),
    clock,
    log: logTo(output),
    random: Math.random,
  });
  discovery.start();
  await output.note(`Follows ${source.name}, and applies what it finds as the set ${name}.`);
  await context.interrupted();
  await discovery.stop();
  return EXIT.done;
};

/** @throws CommandError */
function kindOf(text: string): SourceKind {
  const kind = SOURCE_KINDS.find((one) => one === text);
  if (kind === undefined) throw new CommandError(`Give one of ${SOURCE_KINDS.join(', ')}.`);
  return kind;
}

/** @throws CommandError */
function numberOption(given: CommandInput, name: string, otherwise: number): number {
  const text = textOption(given, name);
  if (text !== null && !/^\d{1,5}$/.test(text))
    throw new CommandError(`--${name} must be a whole number from 0 to 99999.`);
  return text === null ? otherwise : Number(text);
}

/** People have their kubeconfig where kubectl looks for it. */
function openSourceOf(kind: SourceKind, settings: SourceSettings, clock: { monotonic(): number }) {
  const isInCluster = settings.kubernetesServiceHost !== null;
  const usual = isInCluster ? null : path.join(homedir(), '.kube', 'config');
  try {
    return openSource(kind, { ...settings, kubeconfig: settings.kubeconfig ?? usual }, clock);
  } catch (error) {
    throw forPeople(error);
  }
}

const forPeople = (error: unknown) =>
  error instanceof DiscoveryError ? new CommandError(error.message) : error;

interface Once {
  source: Source;
  set: FollowedSet;
  given: CommandInput;
  output: Output;
}

async function writeOnce({ source, set, given, output }: Once): Promise<number> {
  const file = textOption(given, 'out');
  if (file !== null) await requireNewFile(file, given);
  const discovered = await source
    .list(AbortSignal.timeout(LIST_WITHIN_MS))
    .catch((error: unknown) => Promise.reject(forPeople(error)));
  set.observe(discovered, 0);
  const { text } = writeConfiguration(set.next(0)!.document);
  if (file === null) await output.out(text);
  else await writeFile(file, text, { flag: given.options['force'] === true ? 'w' : 'wx' });
  for (const warning of discovered.warnings) await output.note(`Warning: ${shown(warning)}`);
  const { length } = discovered.monitors;
  if (file !== null)
    await output.out(`Wrote ${length} monitor${length === 1 ? '' : 's'} to ${file}.\n`);
  return EXIT.done;
}

/** Applies the plan that is made, so that nothing is written where nothing changes. */
function setServer(server: ConfigurationServer): SetServer {
  return {
    export: (name) => server.export(name),
    items: () => server.items(),
    async apply(body) {
      const plan = (await server.plan(body)) as { changes: object[]; fingerprint: string };
      return plan.changes.length === 0 ? plan : server.apply(body, plan.fingerprint);
    },
  };
}

/** A line on standard error for each message. */
function logTo(output: Output): Log {
  const line: Log['info'] = ({ count, item_key: key, reason }, message) => {
    const more = [count, key, reason].filter((one) => one !== undefined);
    void output.note([message, ...more.map((one) => shown(String(one)))].join(' '));
  };
  return { debug() {}, info: line, warn: line, error: line };
}
