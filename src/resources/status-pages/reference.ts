import { noun } from '../common/operation.ts';
import { createStatusPageService } from './service.ts';
import { z } from 'zod';
import { DISPLAYS } from '../../status-page/facts/model.ts';
import { MONITOR_STATUSES } from '../../model/monitor.ts';
import { answerShape, changeSchema, exampleFields, requestSchema } from '../common/fields.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';
import { accessInput, accessOutput } from './access.ts';
import { ARRANGEMENT_INPUT } from './arrangement.ts';
import { PAGE_FIELDS, showAutomaticOutput } from './fields.ts';
import { logoInput } from './logo.ts';
import { MAX_STATUS_PAGES, statusPageListQuery } from './service.ts';

const more = { ...ARRANGEMENT_INPUT, access: accessInput().nullish() };
const newBody = requestSchema(PAGE_FIELDS).extend(more);
const changeBody = changeSchema(PAGE_FIELDS).extend(more);

const time = (description: string) => z.iso.datetime().nullable().meta({ description });

const service = z
  .object({
    monitor_id: z.int(),
    label: z.string().nullable().meta({ description: 'Null for the name of the monitor.' }),
    display: z.enum(DISPLAYS),
    show_automatic: showAutomaticOutput()
      .nullable()
      .meta({ description: 'Null for `show_automatic` of the page.' }),
    monitor_url: z.string().meta({ description: 'Never shown on the page.' }),
    monitor_status: z.enum(MONITOR_STATUSES),
  })
  .meta({ id: 'StatusPageService', description: 'A monitor on a status page.' });

const domain = z
  .object({
    verified_at: time('Null while it is not verified.'),
    checked_at: time('When its records were last looked up.'),
    next_check_at: time('Null once verification has ended without success.'),
    last_error: z.string().nullable().meta({ description: 'Why the last verification failed.' }),
    records: z
      .array(z.object({ type: z.enum(['TXT', 'CNAME']), name: z.string(), value: z.string() }))
      .meta({ description: 'DNS records that prove the domain. One of them is enough.' }),
    target: z.string().meta({
      description: 'Host that the domain itself has to lead to, by CNAME, ALIAS or its addresses.',
    }),
  })
  .meta({ id: 'StatusPageDomain', description: 'Verification of a custom domain.' });

const { name, slug, description, custom_domain, settings, ...fields } = answerShape(PAGE_FIELDS);
const statusPage = z
  .object({
    id: z.int(),
    name: name!,
    slug: slug!,
    url: z.url().meta({ description: 'Public address: on the custom domain once it is verified.' }),
    description: description!,
    logo_url: z.url().nullable(),
    custom_domain: custom_domain!,
    domain_verified: z.boolean(),
    domain: domain.nullable().meta({ description: 'Null without a custom domain.' }),
    settings: settings!,
    ...fields,
    access: accessOutput,
    services: z.array(service).meta({
      description:
        'As they were sent. On the page, those without a group come first, then group by group.',
    }),
    groups: z.array(z.object({ name: z.string(), monitors: z.array(z.int()) })),
    warnings: z
      .array(z.string())
      .meta({ description: 'Probable mistakes, such as a page without services.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({
    id: 'StatusPage',
    description: 'Page on which visitors see how some monitors are doing.',
  });

const acme = {
  id: 1,
  ...exampleFields(PAGE_FIELDS, {
    name: 'Acme status',
    slug: 'acme-status',
    description: 'Current state of the services of Acme.',
    custom_domain: 'status.acme.example',
  }),
  url: 'https://up.example.com/status/acme-status',
  logo_url: null,
  domain_verified: false,
  domain: {
    verified_at: null,
    checked_at: null,
    next_check_at: '2030-01-01T00:00:00.000Z',
    last_error: null,
    records: [
      {
        type: 'TXT',
        name: '_tocsin.status.acme.example',
        value: 'tocsin-verification=5f0c3a7e9b1d4c6f8a2e0b7d9c4f1a63',
      },
      {
        type: 'CNAME',
        name: '_tocsin.status.acme.example',
        value: '5f0c3a7e9b1d4c6f8a2e0b7d9c4f1a63.up.example.com',
      },
    ],
    target: 'up.example.com',
  },
  access: { type: 'public', addresses: [], password_set: false },
  services: [
    {
      monitor_id: 1,
      label: 'Website',
      display: 'bar',
      show_automatic: null,
      monitor_url: 'https://example.com',
      monitor_status: 'pending',
    },
  ],
  groups: [{ name: 'Shop', monitors: [1] }],
  warnings: ['status.acme.example is not verified yet: set one of the records in domain.records.'],
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
};

/** A PNG file of one pixel. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

export const statusPages = noun('Status pages', createStatusPageService, {
  listStatusPages: {
    at: 'GET /status-pages',
    summary: 'List status pages',
    query: statusPageListQuery,
    answer: pageSchema(statusPage, 'StatusPagePage'),
    example: { answer: pageExample('/status-pages', [acme]) },
  },
  createStatusPage: {
    at: 'POST /status-pages',
    summary: 'Create a status page',
    description: `The page is public at once unless \`access\` says otherwise. A team has at most ${MAX_STATUS_PAGES} pages.`,
    body: newBody,
    answer: statusPage,
    example: {
      body: {
        name: 'Acme status',
        description: 'Current state of the services of Acme.',
        custom_domain: 'status.acme.example',
        monitors: [{ id: 1, label: 'Website' }],
        groups: [{ name: 'Shop', monitors: [1] }],
      },
      answer: acme,
    },
  },
  getStatusPage: {
    at: 'GET /status-pages/:id',
    summary: 'Get a status page',
    answer: statusPage,
    example: { answer: acme },
  },
  updateStatusPage: {
    at: 'PUT /status-pages/:id',
    summary: 'Change a status page',
    description:
      'Only fields that are present change. `monitors` and `groups` replace their lists; within `settings` and `access`, keys that are left out stay.',
    body: changeBody,
    answer: statusPage,
    example: {
      body: { settings: { show_response_time: false } },
      answer: { ...acme, settings: { ...(acme.settings as object), show_response_time: false } },
    },
  },
  deleteStatusPage: {
    at: 'DELETE /status-pages/:id',
    summary: 'Delete a status page',
    description: 'Deletes its subscribers, too. Its monitors and incidents stay.',
  },
  setStatusPageLogo: {
    at: 'PUT /status-pages/:id/logo',
    summary: 'Set the logo of a status page',
    body: logoInput,
    answer: statusPage,
    example: {
      body: { content: PIXEL },
      answer: { ...acme, logo_url: 'https://up.example.com/status/acme-status/logo?v=hY0kOyfc' },
    },
  },
  deleteStatusPageLogo: {
    at: 'DELETE /status-pages/:id/logo',
    summary: 'Remove the logo of a status page',
  },
  verifyStatusPageDomain: {
    at: 'POST /status-pages/:id/verify-domain',
    needs: 'update',
    summary: 'Verify the custom domain now',
    description:
      'Looks for the records of `domain.records`. This also happens by itself: within minutes after a domain was set, for 7 days. 409 without a custom domain.',
    answer: statusPage,
    refusals: ['conflict'],
    example: { answer: acme },
  },
});
