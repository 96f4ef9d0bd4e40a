import type { Kysely } from 'kysely';
import type { FleetBus } from '../../engine/bus/contract.ts';
import type { Plans } from '../../identity/plans.ts';
import { OWNER_SETTING } from '../../identity/setup-token.ts';
import type { MailQueue } from '../../store/alerting/mails.ts';
import type { Database } from '../../store/database/contract.ts';
import type { Schema } from '../../store/database/schema.ts';
import { readSetting } from '../../store/database/settings.ts';
import { isOwnerOfFirstTeam } from '../../store/people/teams.ts';
import { problemText } from '../../engine/installation-health/texts.ts';
import {
  listProblems,
  listProcessReports,
  readWatch,
} from '../../store/engine/installation-health.ts';
import type { Regions } from '../../model/regions.ts';
import { Problem } from '../common/errors.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import { viewProbes } from '../regions/probes.ts';
import { type Call } from '../common/operation.ts';

/** What the configuration says, without values of secrets. */
export interface InstallationFacts {
  /** Free space where the data folder is, bytes; null when it is not known. */
  freeBytes: number | null;
  /** Names of the ways to sign in besides passwords. */
  signInProviders: readonly string[];
  settings: readonly {
    name: string;
    meaning: string;
    default: string;
    isDefault: boolean;
    isSecret: boolean;
    value: string | null;
  }[];
}

export interface InstallationDeps {
  database: Pick<Database, 'read' | 'engine'>;
  bus: Pick<FleetBus, 'lastSeen' | 'vantageOf' | 'probesOf'>;
  regions: Regions;
  plans: Pick<Plans, 'names'>;
  mailQueue: Pick<MailQueue, 'isConfigured'>;
  /** OPEN_SIGNUP. */
  openSignup: boolean;
  baseUrl: () => string;
  version: string;
  installation: () => Promise<InstallationFacts>;
}

/** Describes the installation to its owner. Throws `forbidden` for others. */
export function createGetInstallation(deps: InstallationDeps) {
  const { database, bus, regions, plans, mailQueue, openSignup, baseUrl, version } = deps;

  return async ({ caller }: Call) => {
    if (!(await ownsInstallation(database.read, caller.person.id, openSignup))) throw REFUSAL;
    const { freeBytes, signInProviders, settings } = await deps.installation();
    const health = await readHealth(database.read);
    return {
      version,
      base_url: baseUrl(),
      database: database.engine,
      free_bytes: freeBytes,
      mail_configured: mailQueue.isConfigured,
      open_signup: openSignup,
      sign_in_providers: signInProviders,
      plans: plans.names,
      regions: [...regions.shared, ...regions.ofTeams].map((region) => ({
        code: region.code,
        title: region.title,
        ...('teamId' in region && { team_id: region.teamId }),
        vantage: bus.vantageOf(region.code),
        last_seen_at: isoOrNull(bus.lastSeen(region.code)),
        probes: viewProbes(bus.probesOf(region.code)),
      })),
      ...health,
      settings: settings.map(({ isDefault, isSecret, ...setting }) => ({
        ...setting,
        is_default: isDefault,
        is_secret: isSecret,
      })),
    };
  };
}

/** What the installation says of itself: problems that count, and the processes that report. */
async function readHealth(db: Kysely<Schema>): Promise<object> {
  const [stored, reports, watch] = await Promise.all([
    listProblems(db),
    listProcessReports(db),
    readWatch(db),
  ]);
  const open = stored.filter(({ openedAt }) => openedAt !== null);
  return {
    evaluated_at: isoOrNull(watch?.evaluatedAt ?? null),
    problems: open.map(({ kind, subject, seenAt, openedAt, value, processes }) => {
      const since = seenAt ?? openedAt!;
      const text = problemText({ kind, subject, since, value, processes });
      return { kind, subject, since: isoTime(since), text, value, processes };
    }),
    processes: reports.map((report) => ({
      name: report.name,
      roles: report.roles,
      version: report.version,
      started_at: isoTime(report.startedAt),
      last_seen_at: isoTime(report.seenAt),
      schedule_lag_ms: report.lagMs,
      checks_due: report.checksDue,
      checks_late: report.checksLate,
      probes: report.probes,
      clock_offset_ms: report.clockOffsetMs,
    })),
  };
}

const REFUSAL = new Problem(
  'forbidden',
  'Only the owner of this installation sees its settings: ask the person who set it up.',
);

/**
 * Whether a person owns the installation: who was made its owner at the first start, or owns its first team. With open
 * sign-up only the former, since anybody can have a team then.
 */
async function ownsInstallation(
  db: Kysely<Schema>,
  personId: number,
  openSignup: boolean,
): Promise<boolean> {
  if ((await readSetting(db, OWNER_SETTING)) === String(personId)) return true;
  return !openSignup && (await isOwnerOfFirstTeam(db, personId));
}
