import { numberOption, textOption } from '../../bench/options.ts';
import { FLEETS, needsNats, needsNetworks } from './fleets.ts';
import type { FleetName } from './fleets.ts';
import { rolesAlone } from './faults.ts';
import { FAULT_KINDS } from './judge/records.ts';
import type { FaultKind } from './judge/records.ts';

export interface SoakOptions {
  /** Number of faults after which the run ends. */
  kills: number;
  seed: number;
  fleet: FleetName;
  /** Kinds of faults that happen. */
  faults: FaultKind[];
  /** Whether a commit waits for the standby, where there is one. */
  replication: 'synchronous' | 'asynchronous';
  monitors: number;
  /** Intervals of the monitors, in turn. */
  intervalsMs: number[];
  jobs: number;
  /** Shortest and longest time between two faults, milliseconds. */
  pauseMs: [number, number];
  /** Time that the judge adds to each bound, milliseconds. */
  slackMs: number;
  /** Milliseconds by which the clock of the first process is off. */
  skewMs: number;
  /** Revision whose processes are replaced one after another by those of this tree; null for this tree alone. */
  upgradeFrom: string | null;
  /** Whether they are replaced by those of the revision again afterwards. */
  andBack: boolean;
  /** Folder for records and logs, which stays; null for a temporary one, which stays after a problem. */
  folder: string | null;
}

/** Slow clocks fill logs and make checks late in ways of their own: they are tried alone. */
const BY_DEFAULT = FAULT_KINDS.filter((kind) => kind !== 'slow_clock');

/** A fault comes when the monitors of the one before have new owners. */
const DEFAULTS = { kills: 20, monitors: 40, jobs: 4, pause: 12, slack: 3, skew: 0 };

const ABOUT: Record<string, string> = {
  '--kills=N': `faults until the run ends (${DEFAULTS.kills}), about 15 s each`,
  '--seed=N': 'repeats the choices of a run (at random)',
  '--fleet=NAME': `which processes there are: ${Object.keys(FLEETS).join(', ')} (whole)`,
  '--faults=LIST': `which of ${FAULT_KINDS.join(', ')} (all but slow_clock; nats, unplug and role_away if the fleet has that)`,
  '--replication=HOW': 'of the standby for failover: synchronous or asynchronous (synchronous)',
  '--intervals=LIST': 'intervals of monitors in turn, seconds (30,60,30,30)',
  '--monitors=N': `checked monitors (${DEFAULTS.monitors})`,
  '--jobs=N': `jobs that send pings (${DEFAULTS.jobs})`,
  '--pause=SECONDS': `shortest time between two faults (${DEFAULTS.pause})`,
  '--slack=SECONDS': `added to each bound, for a busy machine (${DEFAULTS.slack})`,
  '--skew=SECONDS': `by which the clock of the first process is off (${DEFAULTS.skew})`,
  '--upgrade-from=REV':
    'begins with the processes of this revision, and replaces one after another; no faults by default',
  '--and-back': 'then replaces them by those of the revision again',
  '--folder=FOLDER': 'for records and logs (a temporary one)',
};

export const USAGE = [
  'npm run soak -- [OPTIONS]',
  ...Object.entries(ABOUT).map(([form, meaning]) => `  ${form.padEnd(20)} ${meaning}`),
].join('\n');

/** Reads the words after `npm run soak --`. @throws an error for people. */
export function readOptions(words: readonly string[]): SoakOptions {
  const unknown = words.find((word) => !Object.keys(ABOUT).some((form) => isOfForm(word, form)));
  if (unknown !== undefined) throw new Error(`There is no option ${unknown}.`);
  const fleet = textOption(words, '--fleet') ?? 'whole';
  if (!Object.hasOwn(FLEETS, fleet)) {
    throw new Error(`No fleet named ${fleet}; there are ${Object.keys(FLEETS).join(', ')}.`);
  }
  const faults = faultsOf(textOption(words, '--faults') ?? BY_DEFAULT.join(','));
  if (faults.every((one) => one === 'nats') && !needsNats(FLEETS[fleet as FleetName])) {
    throw new Error(`The fleet ${fleet} uses no NATS.`);
  }
  if (
    faults.every((one) => one === 'role_away') &&
    rolesAlone(FLEETS[fleet as FleetName]).length === 0
  ) {
    throw new Error(`No process of the fleet ${fleet} has one role alone.`);
  }
  if (faults.every((one) => one === 'unplug') && !needsNetworks(FLEETS[fleet as FleetName])) {
    throw new Error(`The processes of the fleet ${fleet} have no networks of their own.`);
  }
  const upgradeFrom = textOption(words, '--upgrade-from');
  const andBack = words.includes('--and-back');
  if (andBack && upgradeFrom === null) throw new Error('--and-back needs --upgrade-from=REV.');
  const kills = upgradeFrom === null ? DEFAULTS.kills : 0;
  const pauseMs = numberOption(words, '--pause', DEFAULTS.pause) * 1_000;
  return {
    kills: numberOption(words, '--kills', kills),
    seed: numberOption(words, '--seed', Math.floor(Math.random() * 2 ** 31)),
    fleet: fleet as FleetName,
    faults,
    replication: replicationOf(textOption(words, '--replication') ?? 'synchronous'),
    intervalsMs: intervalsOf(textOption(words, '--intervals') ?? '30,60,30,30'),
    monitors: numberOption(words, '--monitors', DEFAULTS.monitors),
    jobs: numberOption(words, '--jobs', DEFAULTS.jobs),
    pauseMs: [pauseMs, pauseMs + 6_000],
    slackMs: numberOption(words, '--slack', DEFAULTS.slack) * 1_000,
    skewMs: numberOption(words, '--skew', DEFAULTS.skew) * 1_000,
    upgradeFrom,
    andBack,
    folder: textOption(words, '--folder'),
  };
}

/** Whether a word is of a form such as `--seed=N` or `--and-back`. */
function isOfForm(word: string, form: string): boolean {
  const end = form.indexOf('=') + 1;
  return end === 0 ? word === form : word.startsWith(form.slice(0, end));
}

function faultsOf(list: string): FaultKind[] {
  const names = list.split(',');
  const unknown = names.find((name) => !(FAULT_KINDS as readonly string[]).includes(name));
  if (unknown === undefined) return names as FaultKind[];
  throw new Error(`No fault named "${unknown}"; there are ${FAULT_KINDS.join(', ')}.`);
}

function replicationOf(word: string): SoakOptions['replication'] {
  if (word === 'synchronous' || word === 'asynchronous') return word;
  throw new Error('--replication is synchronous or asynchronous.');
}

/** The shortest interval of a monitor, seconds. */
const SHORTEST = 30;

function intervalsOf(list: string): number[] {
  const numbers = list.split(',').map(Number);
  if (numbers.every((one) => Number.isInteger(one) && one >= SHORTEST)) {
    return numbers.map((one) => one * 1_000);
  }
  throw new Error(`--intervals needs whole seconds, ${SHORTEST} or more.`);
}
