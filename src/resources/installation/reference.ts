import { noun } from '../common/operation.ts';
import { createGetInstallation } from './service.ts';
import { z } from 'zod';
import { PROBLEM_KINDS } from '../../model/installation-health.ts';
import { textOrNull, time } from '../common/reference-schemas.ts';
import { probeSchema } from '../regions/probes.ts';

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
