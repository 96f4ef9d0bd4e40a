import { noun } from '../common/operation.ts';
import { createSubscriberService } from './service.ts';
import { createImportSubscribers } from './import.ts';
import { z } from 'zod';
import { CHANGING } from '../common/changing.ts';
import { SUBSCRIBER_KINDS, SUBSCRIBER_STATES } from '../../store/resources/subscribers.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';
import { importInput, subscriberInput } from './input.ts';
import { subscriberExportQuery, subscriberListQuery } from './service.ts';

const subscriber = z
  .object({
    id: z.int(),
    kind: z.enum(SUBSCRIBER_KINDS),
    address: z.string().nullable().meta({
      description: 'Shortened for editors. Null when no key of SECRET_KEY decrypts it.',
    }),
    state: z.enum(SUBSCRIBER_STATES).meta({
      description:
        'pending until it is confirmed; ended when messages were refused for good or failed for a week.',
    }),
    ended_reason: z.string().nullable(),
    monitors: z.array(z.int()).meta({ description: 'Empty for all services of the page.' }),
    created_by: z.int().nullable().meta({ description: 'Null for a visitor of the page.' }),
    confirmed_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({
    id: 'Subscriber',
    description: 'Somebody, or a program, that is notified of the announcements of a status page.',
  });

const created = subscriber
  .extend({
    signing_secret: z.string().nullable().meta({
      description: 'Signs what a webhook gets, shown this once. Null for the other kinds.',
    }),
  })
  .meta({ id: 'CreatedSubscriber', description: 'A subscriber with its signing secret.' })
  .register(CHANGING, { fields: ['signing_secret'] });

const imported = z
  .object({
    dry_run: z.boolean(),
    added: z.int().min(0),
    known: z.int().min(0).meta({ description: 'Lines whose address is subscribed already.' }),
    refused: z.int().min(0),
    rows: z.array(
      z.object({
        line: z.int().min(1).meta({ description: 'In the file, the header included.' }),
        outcome: z.enum(['added', 'known', 'refused']),
        reason: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'SubscriberImport', description: 'Result of an import, by line of the file.' });

const alice = {
  id: 1,
  kind: 'email',
  address: 'alice@acme.example',
  state: 'pending',
  ended_reason: null,
  monitors: [],
  created_by: 1,
  confirmed_at: null,
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
};

export const subscribers = noun('Status pages', createSubscriberService, {
  listSubscribers: {
    at: 'GET /status-pages/:id/subscribers',
    role: 'editor',
    summary: 'List subscribers of a status page',
    description: 'Newest first.',
    query: subscriberListQuery,
    answer: pageSchema(subscriber, 'SubscriberPage'),
    example: { answer: pageExample('/status-pages/1/subscribers', [alice]) },
  },
  createSubscriber: {
    at: 'POST /status-pages/:id/subscribers',
    summary: 'Add a subscriber to a status page',
    description:
      'Somebody who is added by e-mail gets a mail with a link to confirm it. A webhook or Slack channel gets a message: it is notified once the webhook has answered with the `challenge` in it, or somebody has opened its link and confirmed, within 48 hours. Adding one that is pending sends the message again.',
    body: subscriberInput,
    answer: created,
    refusals: ['unsupported', 'rate_limited'],
    example: {
      body: { kind: 'email', address: 'alice@acme.example' },
      answer: { ...alice, signing_secret: null },
    },
  },
  getSubscriber: {
    at: 'GET /status-pages/:id/subscribers/:subscriber',
    role: 'editor',
    summary: 'Get a subscriber',
    answer: subscriber,
    example: { answer: alice },
  },
  deleteSubscriber: {
    at: 'DELETE /status-pages/:id/subscribers/:subscriber',
    summary: 'Delete a subscriber',
    description: 'Nothing more is sent to them. Messages that wait are dropped.',
  },
  exportSubscribers: {
    at: 'GET /status-pages/:id/subscribers/export',
    role: 'admin',
    summary: 'Export subscribers',
    description: 'All subscribers with their whole addresses, for admins.',
    query: subscriberExportQuery,
    answer: z.object({ data: z.array(subscriber) }),
    example: { query: 'format=json', answer: { data: [alice] } },
    files: [
      {
        type: 'text/csv',
        example:
          'kind,address,state,monitors,confirmed_at,created_at\r\nemail,alice@acme.example,pending,,,2030-01-01T00:00:00.000Z\r\n',
      },
    ],
  },
});

export const importSubscribers = noun('Status pages', createImportSubscribers, {
  importSubscribers: {
    at: 'POST /status-pages/:id/subscribers/import',
    budget: 'subscriber_import',
    status: 200,
    summary: 'Import subscribers',
    description:
      'Adds people by e-mail from a file. With `consent`, a statement of how they agreed, they are subscribed at once; without it each gets a mail to confirm, at most 100 an hour for a page. With OPEN_SIGNUP `consent` is refused.',
    body: importInput,
    answer: imported,
    example: {
      body: {
        csv: 'address\nbob@acme.example\nnot an address\n',
        consent: 'Moved from our former status page, where they had subscribed.',
      },
      answer: {
        dry_run: false,
        added: 1,
        known: 0,
        refused: 1,
        rows: [
          { line: 2, outcome: 'added', reason: null },
          {
            line: 3,
            outcome: 'refused',
            reason: 'address must be an e-mail address, such as ed@example.com.',
          },
        ],
      },
    },
  },
});
