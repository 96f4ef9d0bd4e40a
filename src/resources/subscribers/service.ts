import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import { newSigningSecret } from '../../identity/token.ts';
import type { Clock } from '../../lib/clock.ts';
import { oneOf } from '../../lib/schemas.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { canonicalHostOf } from '../../lib/url-host.ts';
import { auditTarget } from '../../model/audit.ts';
import { DESTINATION_LIMITS, destinationFault } from '../../model/outgoing.ts';
import type { PageIdentity } from '../../status-page/facts/model.ts';
import { readPageOutline } from '../../status-page/read-facts.ts';
import type { AddressHashes } from '../../status-page/subscribers/addresses.ts';
import {
  MAX_SUBSCRIBERS,
  type Subscriptions,
} from '../../status-page/subscribers/subscriptions.ts';
import type { MailQueue } from '../../store/alerting/mails.ts';
import type { Database } from '../../store/database/contract.ts';
import type { Schema } from '../../store/database/schema.ts';
import {
  countSubscribers,
  deleteSubscriber,
  findByAddress,
  findSubscriber,
  insertSubscriber,
  listSubscribers,
  openAddress,
  SUBSCRIBER_KINDS,
  SUBSCRIBER_STATES,
  programsOfTeam,
  subscribersAfter,
  updateSubscriber,
  type SealedAddress,
  type SubscriberKind,
  type SubscriberRow,
} from '../../store/resources/subscribers.ts';
import { recordChange } from '../common/change.ts';
import { Download } from '../common/download.ts';
import { invalidField, notFound, Problem } from '../common/errors.ts';
import { Findings, readBody, readQuery } from '../common/input.ts';
import { PAGE_QUERY, pageOf, pagingOf } from '../common/page.ts';
import { teamWriter } from '../common/team-writes.ts';
import { statusPages } from '../status-pages/status-pages.ts';
import type { WebhookRules } from '../webhooks/fields.ts';
import { subscriberCsv } from './csv.ts';
import { checkAddress, subscriberInput } from './input.ts';
import { auditedSubscriber, stateOf, viewSubscriber } from './view.ts';
import type { Call } from '../common/operation.ts';

export const subscriberListQuery = z.object({
  kind: oneOf(SUBSCRIBER_KINDS).optional().meta({ description: 'All unless given.' }),
  state: oneOf(SUBSCRIBER_STATES).optional().meta({
    description:
      'pending: it is not confirmed yet; ended: Tocsin ended it because messages failed. All unless given.',
  }),
  ...PAGE_QUERY,
});

export const subscriberExportQuery = z.object({
  format: oneOf(['csv', 'json']).optional().meta({ description: 'By default csv.' }),
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
export function createSubscriberService(deps: SubscriberDeps) {
  const { database, clock, secretBox: box, addressHashes: hashes } = deps;
  const write = teamWriter(database, 'editor');

  async function insertProgram(
    tx: Transaction<Schema>,
    caller: Caller,
    page: PageIdentity,
    subscriber: { kind: SubscriberKind; address: string; monitors: readonly number[] },
  ): Promise<{ row: SubscriberRow; secret: string | null }> {
    const { kind, address, monitors } = subscriber;
    const now = clock.now();
    const sender = { personId: caller.person.id, teamId: caller.team.id };
    const known = await findByAddress(tx, page.id, kind, hashes.all(kind, address));
    if (known !== undefined) {
      if (stateOf(known) !== 'pending') throw TAKEN;
      await updateSubscriber(tx, known.id, { monitors: JSON.stringify(monitors) }, now);
      const row = (await findSubscriber(tx, page.id, known.id))!;
      await deps.subscriptions.challenge(tx, page, row, sender);
      return { row, secret: null };
    }
    if ((await countSubscribers(tx, page.id)) >= MAX_SUBSCRIBERS) throw FULL;
    const addresses = await programsOfTeam(
      tx,
      caller.team.id,
      DESTINATION_LIMITS.subscriber.perTeam,
    );
    const hosts = addresses.map((row) => hostOfProgram(row, box));
    const host = canonicalHostOf(address);
    const fault = destinationFault('subscriber', { ...deps, hosts, host });
    if (fault !== null) throw invalidField('subscribers', fault);
    const secrets = box.of('subscriber', page.id);
    const secret = kind === 'webhook' ? newSigningSecret() : null;
    const id = await insertSubscriber(
      tx,
      page.teamId,
      {
        page_id: page.id,
        kind,
        address: secrets.seal(address, 'address'),
        address_hash: hashes.of(kind, address),
        monitors: JSON.stringify(monitors),
        confirmed_at: null,
        confirm_until: null,
        created_by: caller.person.id,
        signing_secret: secret === null ? null : secrets.seal(secret, 'signing_secret'),
      },
      now,
    );
    const row = (await findSubscriber(tx, page.id, id))!;
    await deps.subscriptions.challenge(tx, page, row, sender);
    return { row, secret };
  }

  async function insertPerson(
    tx: Transaction<Schema>,
    caller: Caller,
    page: PageIdentity,
    { address, monitors }: { address: string; monitors: readonly number[] },
  ): Promise<SubscriberRow> {
    if (!deps.mailQueue.isConfigured) throw NO_MAIL;
    const known = await findByAddress(tx, page.id, 'email', hashes.all('email', address));
    if (known !== undefined && known.confirmed_at !== null && known.ended_reason === null)
      throw TAKEN;
    const requested = await deps.subscriptions.request(tx, page, {
      address,
      monitors,
      createdBy: caller.person.id,
      sender: { personId: caller.person.id, teamId: caller.team.id },
    });
    if (requested === 'full') throw FULL;
    return (await findSubscriber(tx, page.id, requested.subscriber.id))!;
  }

  return {
    async listSubscribers({ caller, id: pageId, query, address }: Call) {
      await findPage(database.read, caller, pageId);
      const { kind = null, state = null, ...paged } = readQuery(subscriberListQuery, query);
      const paging = pagingOf(paged, 'id');
      const filter = { kind, state };
      const { rows, total } = await listSubscribers(database.read, pageId, filter, paging);
      const data = rows.map((row) => viewSubscriber(row, caller, box));
      return pageOf(data, total, paging, address);
    },

    async getSubscriber({ caller, id: pageId, idOf }: Call) {
      const id = idOf('subscriber');
      await findPage(database.read, caller, pageId);
      return viewSubscriber(await mustFind(database.read, pageId, id), caller, box);
    },

    /** Adds a subscriber, who is asked to confirm it: by a mail, or by a message to the webhook or Slack channel. */
    async createSubscriber({ caller, id: pageId, body }: Call) {
      await findPage(database.read, caller, pageId);
      const outline = await readPageOutline(database, pageId);
      if (outline === null) throw notFound('status page');
      const { page, services } = outline;
      const findings = new Findings();
      const input = readBody(subscriberInput, body, findings) as SubscriberInput;
      const kind = input.kind ?? 'email';
      const monitors = input.monitors ?? [];
      if (input.address === null) findings.add('address', 'is required: updates are sent there');
      else if (input.address !== undefined) checkAddress(kind, input.address, deps, findings);
      const shown = new Set(services.map(({ monitorId }) => monitorId));
      if (monitors.some((id) => !shown.has(id)))
        findings.add('monitors', 'must be ids of services of this status page');
      findings.throwIfAny();
      const subscriber = { kind, address: input.address!, monitors };
      return write(caller, 'create', async (tx) => {
        await findPage(tx, caller, pageId);
        const made =
          kind === 'email'
            ? { row: await insertPerson(tx, caller, page, subscriber), secret: null }
            : await insertProgram(tx, caller, page, subscriber);
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
        await deleteSubscriber(tx, row);
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
      const { format = 'csv' } = readQuery(subscriberExportQuery, query);
      const pages = await exportedPages(database, pageId);
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

type SubscriberInput = {
  kind?: SubscriberKind | null;
  address?: string | null;
  monitors?: number[] | null;
};

const TAKEN = invalidField('address', 'is subscribed to this status page already');
const FULL = invalidField('subscribers', `must be at most ${MAX_SUBSCRIBERS} of a status page`);
const NO_MAIL = new Problem(
  'unsupported',
  'This installation sends no mail: its operator sets SMTP_URL. Subscribe a webhook or a Slack channel instead.',
);

export const { find: findPage } = statusPages;

async function mustFind(db: Kysely<Schema>, pageId: number, id: number): Promise<SubscriberRow> {
  const row = await findSubscriber(db, pageId, id);
  if (row === undefined) throw notFound('subscriber');
  return row;
}

function hostOfProgram(row: SealedAddress, box: SecretBox): string | null {
  const address = openAddress(row, box);
  return address === null ? null : canonicalHostOf(address);
}

function targetOf(row: SubscriberRow, box: SecretBox) {
  const { address } = auditedSubscriber(row, box);
  return auditTarget('subscriber', { id: row.id, name: address ?? `#${row.id}` });
}

/** Batches of all subscribers. Reads the first at once, so that an unreachable database fails before the download. */
async function exportedPages(
  database: Database,
  pageId: number,
): Promise<AsyncIterable<SubscriberRow[]>> {
  const read = (after: number) =>
    subscribersAfter(database.read, pageId, { after, limit: EXPORTED_AT_ONCE });
  const first = await read(0);
  return (async function* pages() {
    for (let rows = first; rows.length > 0;) {
      yield rows;
      rows = rows.length < EXPORTED_AT_ONCE ? [] : await read(rows.at(-1)!.id);
    }
  })();
}
