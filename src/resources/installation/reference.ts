import { z } from 'zod';
import { operations } from '../common/operation.ts';
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
        vantage: textOrNull.meta({ description: 'Place that probes for it.' }),
        last_seen_at: time.nullable().meta({ description: 'Last sign of life of its probes.' }),
        probes: z.array(probeSchema).meta({ description: 'Its probes of the last hour.' }),
      }),
    ),
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

export const INSTALLATION_OPERATIONS = operations('Account', {
  getInstallation: {
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
