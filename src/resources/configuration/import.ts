import { z } from 'zod';
import { isSecretValue, SECTIONS } from '../../configuration/document.ts';
import { IMPORTERS } from '../../configuration/import/index.ts';
import type { Imported } from '../../configuration/import/importer.ts';
import type { ImportAnswer, ImportRequest } from '../../configuration/import/program.ts';
import { createChildJobs, JobEnded, type ChildJobs } from '../../lib/child-jobs.ts';
import type { Clock } from '../../lib/clock.ts';
import { oneOf, text } from '../../lib/schemas.ts';
import { InvalidInput, invalidField } from '../common/errors.ts';
import { readBody, required } from '../common/input.ts';
import { noun, type Call } from '../common/operation.ts';
import { isTree } from './secrets.ts';

/** Maximum size of a request: an export may be twice as long as the document made of it. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** A file of 4 MiB takes six seconds of a core. */
const DEADLINE_MS = 30_000;
/** For the trees that are made of such a file. */
const HEAP_MIB = 256;
const MAX_FILE_LENGTH = 255;

/** Reads files of other services, in child processes: whatever a file does to its reader, the service goes on. */
export type ImportJobs = ChildJobs<ImportRequest, ImportAnswer>;

/** Creates the jobs that read files of other services. */
export function createImportJobs(): ImportJobs {
  const program = new URL('../../configuration/import/program.ts', import.meta.url);
  return createChildJobs({ program, heapMiB: HEAP_MIB, deadlineMs: DEADLINE_MS });
}

const NAMES = IMPORTERS.map(({ name }) => name) as [string, ...string[]];

const importInput = z.object({
  service: oneOf(NAMES).meta({
    description: `Where it is from: ${IMPORTERS.map(({ name, title, takes }) => `\`${name}\` (${title}: ${takes.replace(/\.$/, '')})`).join(', ')}.`,
  }),
  file: z
    .string({ error: required('is required: the name of the file', 'must be the name of a file') })
    .max(MAX_FILE_LENGTH, { error: `must be at most ${MAX_FILE_LENGTH} characters` })
    .meta({ description: 'Name of the file, such as `backup.json`, for messages.' }),
  text: z
    .string({ error: required('is required: what the file holds', 'must be the text of a file') })
    .meta({
      description:
        'What the file holds, as text in UTF-8. A database, such as `kuma.db`, is read by the command `tocsin import` only.',
    }),
  team: text(100).nullish().meta({
    description: 'Slug of the team that is meant, where an export of `tocsin` has several.',
  }),
});

interface ImportDeps {
  clock: Clock;
  importJobs: Pick<ImportJobs, 'run'>;
}

function createImport({ clock, importJobs }: ImportDeps) {
  async function read(teamId: number, request: ImportRequest): Promise<Imported> {
    const answer = await importJobs.run(teamId, request).catch((error: unknown) => {
      if (!(error instanceof JobEnded)) throw error;
      throw invalidField('text', 'takes too much time or memory to read: send a smaller file');
    });
    if ('imported' in answer) return answer.imported;
    const { refusal, line, column } = answer;
    const place = line === null ? '' : ` in line ${line}, column ${column ?? 1}`;
    throw new InvalidInput({ text: [`text can't be read${place}: ${refusal}`] });
  }

  return {
    async importConfiguration({ caller, body }: Call) {
      const input = readBody(importInput, body) as z.output<typeof importInput>;
      const { team, ...file } = input;
      if (file.text.startsWith('SQLite format 3'))
        throw invalidField('text', 'is a database: read it by the command "tocsin import"');
      const source = { ...file, ...(team != null && { team }), now: clock.now() };
      const { document, report } = await read(caller.team.id, source);
      return { document, report, secrets: secretsIn(document) };
    },
  };
}

function secretsIn(value: unknown): number {
  if (isSecretValue(value)) return 1;
  if (!isTree(value)) return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + secretsIn(one), 0);
}

/** Reading what another service exported as a configuration set. Nothing is stored. */
export const configurationImport = noun('Configuration', createImport, {
  importConfiguration: {
    at: 'POST /configuration/import',
    needs: 'update',
    bodyLimit: MAX_BODY_BYTES,
    summary: 'Read a file of another service',
    description:
      'Makes a configuration set of what another service exported, and says what became of each thing. Nothing is stored: plan and apply the document. It holds the secrets of the source.',
    body: importInput,
    refusals: ['busy'],
    answer: z
      .object({
        document: z.record(z.string(), z.unknown()).meta({
          description: 'The set, as a plan takes it.',
        }),
        report: z
          .array(
            z.object({
              source: z.string().meta({
                description: 'As its service shows it, such as `monitor 12 "Website"`.',
              }),
              outcome: z.enum(['imported', 'changed', 'left_out']).meta({
                description: '`changed`: it works differently here, and the notes say how.',
              }),
              item: z
                .object({ section: z.enum(SECTIONS), key: z.string() })
                .nullable()
                .meta({ description: 'Where it is in the document; null when it is left out.' }),
              notes: z.array(z.string()).meta({ description: 'Sentences for people.' }),
            }),
          )
          .meta({ description: 'One entry for each thing of the source.' }),
        secrets: z.int().meta({ description: 'Number of secrets in the document.' }),
      })
      .meta({ id: 'ImportedConfiguration', description: 'What was read of another service.' }),
    example: {
      body: {
        service: 'uptimerobot',
        file: 'monitors.csv',
        text: 'Friendly Name,URL,Type,Interval\nWebsite,https://example.com,HTTP(s),300\n',
      },
      answer: {
        document: {
          name: 'uptimerobot',
          monitors: [
            {
              key: 'website',
              monitor_type: 'http',
              friendly_name: 'Website',
              check_interval: 5,
              url: 'https://example.com',
            },
          ],
        },
        report: [
          {
            source: 'monitor in line 2 "Website"',
            outcome: 'imported',
            item: { section: 'monitors', key: 'website' },
            notes: [],
          },
        ],
        secrets: 0,
      },
    },
  },
});
