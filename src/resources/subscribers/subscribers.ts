import { z } from 'zod';
import { may, type Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { oneOf } from '../../lib/schemas.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { auditTarget } from '../../model/audit.ts';
import { MAX_URL, SUBSCRIBER_KINDS, type SubscriberKind } from '../../model/outgoing.ts';
import type { PageIdentity } from '../../status-page/facts/model.ts';
import { readPageOutline } from '../../status-page/read-facts.ts';
import {
  isPhoneNumber,
  maskedAddress,
  type AddressHashes,
} from '../../status-page/subscribers/addresses.ts';
import type { Subscriptions, Wanted } from '../../status-page/subscribers/subscriptions.ts';
import type { MailQueue } from '../../store/alerting/mails.ts';
import type { Database, Db, Tx } from '../../store/database/contract.ts';
import { smsChannelOf } from '../../store/resources/alert-channels.ts';
import {
  openAddress,
  SUBSCRIBER_STATES,
  type SubscriberRow,
  type SubscriberState,
  subscriberChanges,
  subscriberRows,
} from '../../store/resources/subscribers.ts';
import { shownAs } from '../common/answer.ts';
import { recordChange } from '../common/change.ts';
import { csvLines } from '../common/csv.ts';
import { CHANGING } from '../common/changing.ts';
import { batchesOf, Download } from '../common/download.ts';
import { invalidField, notFound, Problem } from '../common/errors.ts';
import { Findings, readBody, readQuery, required } from '../common/input.ts';
import { idList } from '../common/lists.ts';
import { noun, type Call } from '../common/operation.ts';
import { PAGE_QUERY, pageOf, pagingOf } from '../common/page.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';
import { emailAddress } from '../common/people-input.ts';
import { textOrNull, time } from '../common/reference-schemas.ts';
import { teamWriter } from '../common/team-writes.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import { statusPages } from '../status-pages/status-pages.ts';
import { webhookUrlFault, type WebhookRules } from '../webhooks/fields.ts';

const REQUIRED = 'is required: updates are sent there';

const subscriberInput = z.object({
  kind: oneOf(SUBSCRIBER_KINDS)
    .nullish()
    .meta({ description: 'How the subscriber is notified; `email` unless set.' }),
  address: z
    .string({ error: required(REQUIRED, 'must be text') })
    .min(1)
    .max(MAX_URL)
    .meta({
      description:
        'An e-mail address, the URL of a webhook, that of an incoming webhook of Slack or of a workflow of Microsoft Teams, or a phone number such as +15558675310.',
    }),
  monitors: idList('monitors')
    .nullish()
    .meta({ description: 'Ids of services of the page; all of them unless set.' }),
});

const listQuery = z.object({
  kind: oneOf(SUBSCRIBER_KINDS).optional().meta({ description: 'All unless given.' }),
  state: oneOf(SUBSCRIBER_STATES).optional().meta({
    description:
      'pending: it is not confirmed yet; ended: Tocsin ended it because messages failed. All unless given.',
  }),
  ...PAGE_QUERY,
});

const exportQuery = z.object({
  format: oneOf(['csv', 'json']).optional().meta({ description: 'By default csv.' }),
});

function stateOf(row: SubscriberRow): SubscriberState {
  if (row.ended_reason !== null) return 'ended';
  return row.confirmed_at === null ? 'pending' : 'active';
}

const facts = shownAs<SubscriberRow, string | null>()({
  id: [z.int(), ({ id }) => id, 1],
  kind: [z.enum(SUBSCRIBER_KINDS), ({ kind }) => kind as SubscriberKind, 'email'],
  address: [
    textOrNull.meta({
      description: 'Shortened for editors. Null when no key of SECRET_KEY decrypts it.',
    }),
    (_, address) => address,
    'alice@acme.example',
  ],
  state: [
    z.enum(SUBSCRIBER_STATES).meta({
      description:
        'pending until it is confirmed; ended when messages were refused for good or failed for a week.',
    }),
    stateOf,
    'pending',
  ],
  ended_reason: [textOrNull, (row) => row.ended_reason, null],
  monitors: [
    z.array(z.int()).meta({ description: 'Empty for all services of the page.' }),
    ({ monitors }) => JSON.parse(monitors) as number[],
    [],
  ],
  created_by: [
    z.int().nullable().meta({ description: 'Null for a visitor of the page.' }),
    (row) => row.created_by,
    1,
  ],
  confirmed_at: [time.nullable(), (row) => isoOrNull(row.confirmed_at), null],
  created_at: [time, (row) => isoTime(row.created_at), '2030-01-01T00:00:00.000Z'],
  updated_at: [time, (row) => isoTime(row.updated_at), '2030-01-01T00:00:00.000Z'],
});

/** A subscriber with the address that is shown of it. */
export const viewSubscription = facts.view;
const alice = facts.example;

const subscriber = z.object(facts.shape).meta({
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

export const subscribers = noun('Status pages', createSubscribers, {
  listSubscribers: {
    at: 'GET /status-pages/:id/subscribers',
    role: 'editor',
    summary: 'List subscribers of a status page',
    description: 'Newest first.',
    query: listQuery,
    answer: pageSchema(subscriber, 'SubscriberPage'),
    example: { answer: pageExample('/status-pages/1/subscribers', [alice]) },
  },
  createSubscriber: {
    at: 'POST /status-pages/:id/subscribers',
    summary: 'Add a subscriber to a status page',
    description:
      'Somebody who is added by e-mail gets a mail with a link to confirm it. A webhook, a channel of Slack or Microsoft Teams or a phone gets a message: it is notified once the webhook has answered with the `challenge` in it, or somebody has opened its link and confirmed, within 48 hours. Adding one that is pending sends the message again.',
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
    query: exportQuery,
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

export interface SubscriberDeps extends WebhookRules {
  database: Database;
  clock: Pick<Clock, 'now'>;
  secretBox: SecretBox;
  subscriptions: Subscriptions;
  addressHashes: AddressHashes;
  mailQueue: Pick<MailQueue, 'isConfigured'>;
  /** OPEN_SIGNUP: anybody can have a team then. */
  openSignup: boolean;
}

const EXPORTED_AT_ONCE = 500;

/** Subscribers of status pages. Ids of other teams are not found; an invalid body is an InvalidInput. */
function createSubscribers(deps: SubscriberDeps) {
  const { database, clock, secretBox: box, addressHashes: hashes } = deps;
  const write = teamWriter(database, 'editor');

  /** Adds a subscriber, who is asked to confirm it. */
  async function insert(
    tx: Tx,
    caller: Caller,
    page: PageIdentity,
    wanted: Pick<Wanted, 'kind' | 'address' | 'monitors'>,
  ) {
    const { kind, address } = wanted;
    if (kind === 'email' && !deps.mailQueue.isConfigured) throw NO_MAIL;
    if (kind === 'sms' && (await smsChannelOf(tx, page.id)) === undefined) throw NO_SMS;
    const all = hashes.all(kind, address);
    const known = await subscriberRows(tx).findByAddress(page.id, kind, all);
    const state = known === undefined ? 'pending' : stateOf(known);
    if (state === 'active' || (state === 'ended' && kind !== 'email')) throw TAKEN;
    const requested = await deps.subscriptions.request(tx, page, {
      ...wanted,
      createdBy: caller.person.id,
      sender: { personId: caller.person.id, teamId: caller.team.id },
    });
    if ('fault' in requested) throw invalidField('subscribers', requested.fault);
    const row = (await subscriberRows(tx).find(page.id, requested.subscriber.id))!;
    return { row, secret: requested.secret };
  }

  return {
    async listSubscribers({ caller, id: pageId, query, address }: Call) {
      await findPage(database.read, caller, pageId);
      const { kind = null, state = null, ...paged } = readQuery(listQuery, query);
      const paging = pagingOf(paged, 'id');
      const filter = { kind, state };
      const { rows, total } = await subscriberRows(database.read).list(pageId, filter, paging);
      const data = rows.map((row) => viewSubscriber(row, caller, box));
      return pageOf(data, total, paging, address);
    },

    async getSubscriber({ caller, id: pageId, idOf }: Call) {
      const id = idOf('subscriber');
      await findPage(database.read, caller, pageId);
      return viewSubscriber(await mustFind(database.read, pageId, id), caller, box);
    },

    /** Adds a subscriber, who is asked to confirm it by a message. */
    async createSubscriber({ caller, id: pageId, body }: Call) {
      await findPage(database.read, caller, pageId);
      const outline = await readPageOutline(database, pageId);
      if (outline === null) throw notFound('status page');
      const { page, services } = outline;
      const findings = new Findings();
      const input = readBody(subscriberInput, body, findings) as Partial<
        z.output<typeof subscriberInput>
      >;
      const kind = input.kind ?? 'email';
      const monitors = input.monitors ?? [];
      if (input.address == null) {
        if (!findings.has('address')) findings.add('address', REQUIRED);
      } else {
        const fault = addressFault(kind, input.address, deps);
        if (fault !== null) findings.add('address', fault);
      }
      const shown = new Set(services.map(({ monitorId }) => monitorId));
      if (monitors.some((id) => !shown.has(id)))
        findings.add('monitors', 'must be ids of services of this status page');
      findings.throwIfAny();
      const wanted = { kind, address: input.address!, monitors };
      return write(caller, 'create', async (tx) => {
        if ((await findPage(tx, caller, pageId)).draft === 1) throw DRAFT;
        const made = await insert(tx, caller, page, wanted);
        const target = targetOf(made.row, box);
        const after = auditedSubscriber(made.row, box);
        await recordChange(tx, caller, { verb: 'created', target, after }, clock.now());
        return { ...viewSubscriber(made.row, caller, box), signing_secret: made.secret };
      });
    },

    deleteSubscriber: ({ caller, id: pageId, idOf }: Call) => {
      const id = idOf('subscriber');
      return write(caller, 'delete', async (tx) => {
        await findPage(tx, caller, pageId);
        const row = await mustFind(tx, pageId, id);
        await subscriberChanges(tx).delete(row);
        const change = {
          verb: 'deleted',
          target: targetOf(row, box),
          before: auditedSubscriber(row, box),
        };
        await recordChange(tx, caller, change, clock.now());
      });
    },

    /** All subscribers with their addresses: a Download as CSV, or a list with `format=json`. */
    async exportSubscribers({ caller, id: pageId, query }: Call) {
      const page = await findPage(database.read, caller, pageId);
      const { format = 'csv' } = readQuery(exportQuery, query);
      const pages = await batchesOf<SubscriberRow>(EXPORTED_AT_ONCE, (last) =>
        subscriberRows(database.read).after(pageId, {
          after: last?.id ?? 0,
          limit: EXPORTED_AT_ONCE,
        }),
      );
      if (format === 'json') {
        const data: object[] = [];
        for await (const rows of pages)
          data.push(...rows.map((row) => viewSubscriber(row, caller, box)));
        return { data };
      }
      return new Download(
        'text/csv; charset=utf-8; header=present',
        `${page.slug}-subscribers.csv`,
        subscriberCsv(pages, box),
      );
    },
  };
}

const TAKEN = invalidField('address', 'is subscribed to this status page already');
const NO_MAIL = new Problem(
  'unsupported',
  'This installation sends no mail: its operator sets SMTP_URL. Subscribe a webhook or a Slack channel instead.',
);
const NO_SMS = new Problem(
  'unsupported',
  'This status page sends no text messages: choose an enabled channel of type sms in its sms_channel_id first.',
);

const DRAFT = new Problem(
  'unsupported',
  'This status page is a draft, from which nobody gets a message to confirm: publish it first.',
);

export const { find: findPage } = statusPages;

async function mustFind(db: Db, pageId: number, id: number): Promise<SubscriberRow> {
  const row = await subscriberRows(db).find(pageId, id);
  if (row === undefined) throw notFound('subscriber');
  return row;
}

function targetOf(row: SubscriberRow, box: SecretBox) {
  const { address } = auditedSubscriber(row, box);
  return auditTarget('subscriber', { id: row.id, name: address ?? `#${row.id}` });
}

/** A subscriber in answers: admins see the whole address, others enough to know it. */
function viewSubscriber(row: SubscriberRow, caller: Caller, box: SecretBox) {
  const address = openAddress(row, box);
  const isWhole = address === null || may(caller, 'read', 'admin');
  return facts.view(row, isWhole ? address : maskedAddress(row.kind as SubscriberKind, address));
}

/** A subscriber in the audit log, which holds no addresses. */
export function auditedSubscriber(row: SubscriberRow, box: SecretBox) {
  const kind = row.kind as SubscriberKind;
  const address = openAddress(row, box);
  return {
    kind,
    address: address === null ? null : maskedAddress(kind, address),
    monitors: JSON.parse(row.monitors) as number[],
    page_id: row.page_id,
  };
}

const email = emailAddress();

/** The mistake in an address, as a predicate; null if there is none. */
export function addressFault(kind: SubscriberKind, address: string, rules: WebhookRules) {
  if (kind === 'sms')
    return isPhoneNumber(address) ? null : 'must be a phone number such as +15558675310';
  if (kind !== 'email') return webhookUrlFault(address, rules);
  const read = email.safeParse(address);
  return read.success ? null : (read.error.issues[0]?.message ?? 'must be an e-mail address');
}

const COLUMNS = ['kind', 'address', 'state', 'monitors', 'confirmed_at', 'created_at'];

/** RFC 4180 with a header line; cells that a spreadsheet would read as a formula begin with an apostrophe. */
async function* subscriberCsv(pages: AsyncIterable<SubscriberRow[]>, box: SecretBox) {
  yield csvLines([COLUMNS]);
  for await (const rows of pages) {
    yield csvLines(
      rows.map((row) => [
        row.kind,
        openAddress(row, box),
        stateOf(row),
        (JSON.parse(row.monitors) as number[]).join(' '),
        isoOrNull(row.confirmed_at),
        isoTime(row.created_at),
      ]),
    );
  }
}
