import type { FleetBus } from '../engine/bus/contract.ts';
import type { Plans } from '../identity/plans.ts';
import { OWNER_SETTING } from '../identity/setup-token.ts';
import type { MailQueue } from '../store/alerting/mails.ts';
import type { Database, Db } from '../store/database/contract.ts';
import { readSetting } from '../store/database/settings.ts';
import { teamStore } from '../store/people/teams.ts';
import { problemText } from '../engine/installation-health/texts.ts';
import { installationHealth } from '../store/engine/installation-health.ts';
import type { Regions } from '../model/regions.ts';
import { Problem } from './common/errors.ts';
import { isoOrNull, isoTime } from './common/time.ts';
import { viewProbes, probeSchema } from './regions/probes.ts';
import { type Call, noun } from './common/operation.ts';
import { z } from 'zod';
import { PROBLEM_KINDS } from '../model/installation-health.ts';
import { textOrNull, time } from './common/reference-schemas.ts';

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

interface InstallationDeps {
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
function createGetInstallation(deps: InstallationDeps) {
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
async function readHealth(db: Db): Promise<object> {
  const [stored, reports, watch] = await Promise.all([
    installationHealth(db).problems(),
    installationHealth(db).reports(),
    installationHealth(db).watch(),
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
async function ownsInstallation(db: Db, personId: number, openSignup: boolean): Promise<boolean> {
  if ((await readSetting(db, OWNER_SETTING)) === String(personId)) return true;
  return !openSignup && (await teamStore(db).isOwnerOfFirst(personId));
}

const answer = z
  .object({
    version: z.string(),
    base_url: z.string(),
    database: z.enum(['sqlite', 'postgres']),
    free_bytes: z.int().nullable().meta({
      description: 'Free space where the data folder is; null when it is not known.',
    }),
    mail_configured: z.boolean(),
    open_signup: z.boolean(),
    sign_in_providers: z.array(z.string()),
    plans: z.array(z.string()).meta({ description: 'Names of the subscription plans.' }),
    regions: z.array(
      z.object({
        code: z.string(),
        title: z.string(),
        team_id: z.int().optional().meta({
          description:
            'The team that a private region belongs to; absent for one that all teams share.',
        }),
        vantage: textOrNull.meta({ description: 'Place that probes for it.' }),
        last_seen_at: time.nullable().meta({ description: 'Last sign of life of its probes.' }),
        probes: z.array(probeSchema).meta({ description: 'Its probes of the last hour.' }),
      }),
    ),
    evaluated_at: time.nullable().meta({
      description: 'When the installation was last evaluated; null before the first time.',
    }),
    problems: z
      .array(
        z.object({
          kind: z.enum(PROBLEM_KINDS),
          subject: z.string().meta({
            description: 'Region or role that it concerns; empty for the whole installation.',
          }),
          since: time,
          text: z.string().meta({ description: 'The problem in one clause.' }),
          value: z.int().nullable().meta({
            description:
              'Seconds, shards, milliseconds of a clock or free bytes, as the kind says; null for a kind without a number.',
          }),
          processes: z
            .array(z.string())
            .meta({ description: 'Names of the processes in which it is observed.' }),
        }),
      )
      .meta({ description: 'Problems of the installation itself that its operators know of.' }),
    processes: z
      .array(
        z.object({
          name: z.string().meta({ description: 'Host name and port.' }),
          roles: z.array(z.string()),
          version: z.string(),
          started_at: time,
          last_seen_at: time,
          schedule_lag_ms: z.int().nullable().meta({
            description:
              'Lateness of the round that is due first; null without the role scheduler, as are the next two.',
          }),
          checks_due: z.int().nullable().meta({ description: 'Checks of the last minute.' }),
          checks_late: z.int().nullable(),
          probes: z.record(z.string(), z.int()).nullable().meta({
            description: 'Live probes by region; null without the roles scheduler and api.',
          }),
          clock_offset_ms: z.int().nullable().meta({
            description: "How far its clock is ahead of the database's, at least; null on SQLite.",
          }),
        }),
      )
      .meta({ description: 'Processes that reported in the last hour.' }),
    settings: z.array(
      z.object({
        name: z.string().meta({ description: 'Environment variable.' }),
        meaning: z.string(),
        default: z.string(),
        value: textOrNull.meta({ description: 'Null for secrets, and where nothing is set.' }),
        is_default: z.boolean(),
        is_secret: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'Installation', description: 'Settings of the installation, without secrets.' });

export const getInstallation = noun('Account', createGetInstallation, {
  getInstallation: {
    at: 'GET /installation',
    role: 'owner',
    summary: 'Get the settings of the installation',
    description:
      'For the owner of the installation: the person that the first start made its owner, or the owner of its first team; with open sign-up only the former. They call it in a team that they own. Settings are changed in the environment of the server.',
    answer,
    refusals: ['forbidden'],
    example: {
      answer: {
        version: '0.1.0',
        base_url: 'https://up.example.com',
        database: 'sqlite',
        free_bytes: 52_428_800_000,
        mail_configured: true,
        open_signup: false,
        sign_in_providers: [],
        plans: [],
        regions: [
          {
            code: 'ash',
            title: 'Ashburn',
            vantage: 'office',
            last_seen_at: '2030-01-01T00:00:00.000Z',
            probes: [],
          },
        ],
        evaluated_at: '2030-01-01T00:00:00.000Z',
        problems: [
          {
            kind: 'rounds_late',
            subject: '',
            since: '2029-12-31T23:58:00.000Z',
            text: 'Rounds start up to 45 s late in the process watch-1:3000',
            value: 45,
            processes: ['watch-1:3000'],
          },
        ],
        processes: [
          {
            name: 'watch-1:3000',
            roles: ['api', 'scheduler', 'worker', 'probe'],
            version: '0.1.0',
            started_at: '2029-12-24T08:00:00.000Z',
            last_seen_at: '2030-01-01T00:00:00.000Z',
            schedule_lag_ms: 45_120,
            checks_due: 4_000,
            checks_late: 3_120,
            probes: { ash: 1 },
            clock_offset_ms: null,
          },
        ],
        settings: [
          {
            name: 'RAW_RETENTION_DAYS',
            meaning: 'Days to keep single results.',
            default: '3',
            value: '7',
            is_default: false,
            is_secret: false,
          },
        ],
      },
    },
  },
});
