import { minuteOf } from '../../lib/time-zone.ts';
import { enumerated } from '../../lib/text.ts';
import type { InstallationProblem, ProblemKind } from '../../model/installation-health.ts';

/** Problems of one kind, of which people are notified together. */
export type ProblemGroup = readonly [InstallationProblem, ...InstallationProblem[]];

interface Texts {
  /** Clause without a full stop, as in `Rounds start 40 s late`. */
  problem(group: ProblemGroup): string;
  /** The same once it is over. */
  over(group: ProblemGroup): string;
  /** What it means, and what to do. */
  advice: string;
}

const MIB = 1024 * 1024;

const number = (count: number): string => count.toLocaleString('en-US');
const value = ([{ value: given }]: ProblemGroup): number => given ?? 0;
const plural = (count: number, one: string, many: string) =>
  count === 1 ? one : `${number(count)} ${many}`;

const subjects = (group: ProblemGroup): string => enumerated(group.map(({ subject }) => subject));

/** ` in the process a:3000`, or nothing where the problem is in no process. */
function processes(group: ProblemGroup, preposition = 'in'): string {
  const names = [...new Set(group.flatMap((one) => one.processes))].toSorted();
  if (names.length === 0) return '';
  return ` ${preposition} the ${names.length === 1 ? 'process' : 'processes'} ${enumerated(names)}`;
}

const TEXTS: Readonly<Record<ProblemKind, Texts>> = {
  rounds_late: {
    problem: (group) =>
      value(group) > 0
        ? `Rounds start up to ${number(value(group))} s late${processes(group)}`
        : `At least half of the checks start late${processes(group)}`,
    over: () => 'Rounds start on time again',
    advice:
      'Outages are noticed later than their interval says. Give the machine more processors, start another process, or check less often.',
  },
  deliveries_waiting: {
    problem: (group) => `Messages have waited to be sent for ${number(value(group))} s`,
    over: () => 'Messages are sent on time again',
    advice:
      'Alerts, webhooks and mails arrive late. Check that a process with the role worker runs, and its log.',
  },
  region_without_probe: {
    problem: (group) =>
      `The ${group.length === 1 ? 'region' : 'regions'} ${subjects(group)} ${group.length === 1 ? 'has' : 'have'} no live probe${processes(group, 'for')}`,
    over: (group) =>
      `The ${group.length === 1 ? 'region' : 'regions'} ${subjects(group)} ${group.length === 1 ? 'is' : 'are'} no longer without a probe`,
    advice: 'Checks from there are unknown. Check that its probe runs and can connect.',
  },
  shards_unowned: {
    problem: (group) =>
      `No process checks the monitors of ${plural(value(group), 'one shard', 'shards')} of 256`,
    over: () => 'All shards have a process again',
    advice: 'Their monitors are not checked. Check that a process with the role scheduler runs.',
  },
  process_silent: {
    problem: (group) =>
      `Nothing was heard${processes(group, 'of')} that should check the monitors of ${plural(value(group), 'one shard', 'shards')} of 256`,
    over: () => 'All processes that check monitors report again',
    advice: 'Their monitors may not be checked. Look at the log of that process, or restart it.',
  },
  role_missing: {
    problem: (group) => `No process has the role ${subjects(group)}`,
    over: (group) => `A process has the role ${subjects(group)} again`,
    advice: 'Start a process with that role.',
  },
  clock_off: {
    problem: (group) =>
      `The clock${processes(group, 'of')} differs from the database's by ${number(value(group))} ms`,
    over: () => "The clocks of all processes agree with the database's again",
    advice: "That process uses the database's clock meanwhile. Let NTP keep the clocks.",
  },
  files_refused: {
    problem: (group) => `The configuration files of CONFIG_DIR are refused${processes(group)}`,
    over: () => 'The configuration files of CONFIG_DIR are applied again',
    advice:
      'Nothing changes until they are corrected. The log of that process names the file, line and column, and says why.',
  },
  disk_low: {
    problem: (group) =>
      `Only ${number(Math.floor(value(group) / MIB))} MiB are free where the database is${processes(group)}`,
    over: () => 'Enough space is free where the database is',
    advice:
      'Once the disk is full, nothing is recorded and no ping is taken. Free space, enlarge the disk, or lower RAW_RETENTION_DAYS.',
  },
  discovery_failing: {
    problem: (group) => `Discovery of ${subjects(group)} fails${processes(group)}`,
    over: (group) => `Discovery of ${subjects(group)} works again`,
    advice:
      'Monitors stay as they are, and new ones are missing. The log of that process says why.',
  },
};

export interface OperatorMessage {
  severity: 'critical' | 'info';
  headline: string;
  text: string;
}

export function problemText(problem: InstallationProblem): string {
  return TEXTS[problem.kind].problem([problem]);
}

export function openedMessage(group: ProblemGroup): OperatorMessage {
  const { problem, advice } = TEXTS[group[0].kind];
  return {
    severity: 'critical',
    headline: problem(group),
    text: `Observed since ${minuteOf(Math.min(...group.map(({ since }) => since)))}. ${advice}`,
  };
}

export function endedMessage(group: ProblemGroup): OperatorMessage {
  const { problem, over } = TEXTS[group[0].kind];
  const since = minuteOf(Math.min(...group.map((one) => one.since)));
  return {
    severity: 'info',
    headline: over(group),
    text: `Last observed, since ${since}: ${problem(group)}. You need not do anything.`,
  };
}
