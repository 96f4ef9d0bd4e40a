import type { Clock } from '../../lib/clock.ts';
import { openIfPossible } from '../../lib/columns.ts';
import { newSigningSecret } from '../../lib/signing-secret.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { canonicalHostOf } from '../../lib/url-host.ts';
import { spendingsOfChallenge, type MailSender } from '../../model/budgets.ts';
import {
  DESTINATION_LIMITS,
  destinationFault,
  SUBSCRIPTION_CHALLENGE,
  SUBSCRIPTION_TOKEN,
  type SubscriberKind,
} from '../../model/outgoing.ts';
import { destinationStore } from '../../store/alerting/destinations.ts';
import type { MailQueue } from '../../store/alerting/mails.ts';
import type { Database, Tx } from '../../store/database/contract.ts';
import { spendBudgets } from '../../store/people/budgets.ts';
import {
  openAddress,
  type SubscriberRow,
  subscriberChanges,
  subscriberRows,
} from '../../store/resources/subscribers.ts';
import type { PageIdentity } from '../facts/model.ts';
import { addressOf, DOCUMENTS } from '../facts/urls.ts';
import { challengeOf, type HookKind } from '../render/hook-messages.ts';
import { renderConfirmation } from '../render/messages.ts';
import {
  CONFIRM_MS,
  type LinkPurpose,
  recipientOf,
  type SubscriberLinks,
  subscriptionUrls,
  type AddressHashes,
} from './addresses.ts';

export const MAX_SUBSCRIBERS = 50_000;

/** Time for which a challenge is retried: the person who adds a webhook watches whether it confirms. */
const CHALLENGE_WITHIN_MS = 15 * 60_000;

export interface Wanted {
  kind: SubscriberKind;
  /** Valid for its kind. */
  address: string;
  /** Ids of monitors; empty for the whole page. */
  monitors: readonly number[];
  createdBy: number | null;
  sender: MailSender;
}

/** A fault is a predicate: what there are too many of. */
type Requested =
  | {
      subscriber: SubscriberRow;
      /** Signs what a new webhook gets; null for others. */
      secret: string | null;
    }
  | { fault: string };

export type Subscriptions = ReturnType<typeof createSubscriptions>;

export function createSubscriptions(deps: {
  database: Database;
  clock: Pick<Clock, 'now'>;
  secretBox: SecretBox;
  mailQueue: MailQueue;
  links: SubscriberLinks;
  hashes: AddressHashes;
  baseUrl: () => string;
  openSignup: boolean;
}) {
  const { database, clock, secretBox, mailQueue, links, hashes } = deps;

  function confirmationOf(
    page: PageIdentity,
    id: number,
    monitors: readonly number[],
    until: number,
  ) {
    const token = links.confirmToken(id, until);
    const chosen = monitors.map((monitor) => `&monitors=${monitor}`).join('');
    const document = DOCUMENTS.confirm(page.slug);
    return { token, url: `${addressOf(page, document, deps.baseUrl())}?token=${token}${chosen}` };
  }

  /** What one more hook would exceed; null where there is room, and for mailboxes. */
  async function limitFault(tx: Tx, page: PageIdentity, { kind, address, createdBy }: Wanted) {
    if ((await subscriberRows(tx).count(page.id)) >= MAX_SUBSCRIBERS)
      return `must be at most ${MAX_SUBSCRIBERS} of a status page`;
    // Slack and Microsoft hold the channels of everybody, and budgets bound who asks for them.
    if (kind === 'email' || (createdBy === null && kind !== 'webhook')) return null;
    const name = createdBy === null ? 'visitor_webhook' : 'subscriber';
    const { perTeam } = DESTINATION_LIMITS[name];
    const by = createdBy === null ? 'visitors' : 'people';
    const rows = await subscriberRows(tx).hooksOfTeam(page.teamId, by, perTeam);
    const hosts = rows.map((row) => hostOf(openAddress(row, secretBox)));
    return destinationFault(name, { openSignup: deps.openSignup, hosts, host: hostOf(address) });
  }

  async function store(
    tx: Tx,
    page: PageIdentity,
    wanted: Wanted,
    now: number,
  ): Promise<Requested> {
    const { kind, address, monitors, createdBy } = wanted;
    // Two requests for one address come one after the other.
    await subscriberChanges(tx).lockPage(page.id);
    const confirmUntil = now + CONFIRM_MS;
    const chosen = JSON.stringify(monitors);
    const known = await subscriberRows(tx).findByAddress(page.id, kind, hashes.all(kind, address));
    if (known !== undefined) {
      const isActive = known.confirmed_at !== null && known.ended_reason === null;
      // A visitor's request changes nothing: what was asked for is in the link, which the owner of the mailbox gets.
      if (!isActive && createdBy !== null)
        await subscriberChanges(tx).update(
          known.id,
          { ...renewed(confirmUntil), monitors: chosen },
          now,
        );
      else if (known.confirmed_at === null)
        await subscriberChanges(tx).update(
          known.id,
          {
            confirm_until: confirmUntil,
            // A webhook confirms by its answer, without the form that shows what was asked for.
            ...(kind === 'webhook' && known.created_by === null && { monitors: chosen }),
          },
          now,
        );
      return { subscriber: known, secret: null };
    }
    const fault = await limitFault(tx, page, wanted);
    if (fault !== null) return { fault };
    const secrets = secretBox.of('subscriber', page.id);
    const secret = kind === 'webhook' ? newSigningSecret() : null;
    const id = await subscriberChanges(tx).insert(
      page.teamId,
      {
        page_id: page.id,
        kind,
        address: secrets.seal(address, 'address'),
        address_hash: hashes.of(kind, address),
        monitors: chosen,
        confirmed_at: null,
        confirm_until: confirmUntil,
        created_by: createdBy,
        signing_secret: secret === null ? null : secrets.seal(secret, 'signing_secret'),
      },
      now,
    );
    return { subscriber: (await subscriberRows(tx).find(page.id, id))!, secret };
  }

  /** Finds the subscriber of a link; null for one that is not valid any more. */
  async function find(
    { id }: Pick<PageIdentity, 'id'>,
    token: string,
    purpose: LinkPurpose,
  ): Promise<SubscriberRow | null> {
    const subscriberId = links.read(token, purpose, clock.now());
    if (subscriberId === null) return null;
    return (await subscriberRows(database.read).find(id, subscriberId)) ?? null;
  }

  return {
    /**
     * Adds an unconfirmed subscriber, and sends the message with the link that confirms it: nobody has updates sent to an
     * address whose owner does not want them. A webhook may answer with the challenge of the message instead. One that exists
     * gets the message again, and stays as it is until its link is used, unless a person of the team asks: visitors can't
     * find out whether an address is known. Throws BudgetExceeded; then the transaction must not be committed.
     */
    async request(tx: Tx, page: PageIdentity, wanted: Wanted): Promise<Requested> {
      const now = clock.now();
      const requested = await store(tx, page, wanted, now);
      if ('fault' in requested) return requested;
      const { kind, address, sender } = wanted;
      const { id, destination_id: destinationId } = requested.subscriber;
      const until = now + CONFIRM_MS;
      const { token, url } = confirmationOf(page, id, wanted.monitors, until);
      if (destinationId !== null) {
        const pageUrl = addressOf(page, DOCUMENTS.page(page.slug), deps.baseUrl());
        const message = {
          destinationId,
          teamId: page.teamId,
          messageId: `msg_challenge_${id}_${now}`,
          kind: SUBSCRIPTION_CHALLENGE,
          eventType: SUBSCRIPTION_CHALLENGE,
          incidentId: null,
          alertId: null,
          body: challengeOf(kind as HookKind, {
            page,
            pageUrl,
            token,
            url,
            until,
            at: now,
            subscription: subscriptionUrls(page, SUBSCRIPTION_TOKEN, deps.baseUrl()),
          }),
          expiresAt: now + CHALLENGE_WITHIN_MS,
        };
        await destinationStore(tx).enqueue([message], now);
        const to = {
          recipient: hashes.of(kind, recipientOf(kind, address)),
          host: hostOf(address),
        };
        const spent = spendingsOfChallenge(kind, to, { ...sender, pageId: page.id }, deps);
        await spendBudgets(tx, spent, now);
        return requested;
      }
      const mail = {
        kind: 'subscription' as const,
        to: address,
        sender: { ...sender, pageId: page.id },
        ...renderConfirmation(page, { url, until }),
        expiresAt: until,
      };
      await mailQueue.enqueue(tx, mail, now);
      return requested;
    },
    find,
    /** The secret that signs what a webhook gets; empty for others, and when no key of SECRET_KEY opens it. */
    secretOf({ page_id: pageId, signing_secret: sealed }: SubscriberRow): string[] {
      const open = openIfPossible(secretBox.of('subscriber', pageId));
      const secret = sealed === null ? undefined : open(sealed, 'signing_secret');
      return secret === undefined ? [] : [secret];
    },
    /**
     * Confirms the address of a link, for these services.
     *
     * @returns the token that changes and ends the subscription; null when the link is not valid any more.
     */
    async confirm(page: Pick<PageIdentity, 'id'>, token: string, monitors: readonly number[]) {
      const row = await find(page, token, 'confirm');
      if (row === null) return null;
      const now = clock.now();
      const confirmed = {
        ...renewed(null),
        confirmed_at: row.ended_reason === null ? (row.confirmed_at ?? now) : now,
        monitors: JSON.stringify(monitors),
      };
      await database.transaction((tx) => subscriberChanges(tx).update(row.id, confirmed, now));
      return links.manageToken(row.id);
    },
    /** Changes the services of a subscription. @returns false when it has ended. */
    async change(page: Pick<PageIdentity, 'id'>, token: string, monitors: readonly number[]) {
      const row = await find(page, token, 'manage');
      if (row === null) return false;
      const columns = { monitors: JSON.stringify(monitors) };
      await database.transaction((tx) =>
        subscriberChanges(tx).update(row.id, columns, clock.now()),
      );
      return true;
    },
    /** Ends a subscription. One that has ended already stays so. @returns false for an invalid link. */
    async end(page: Pick<PageIdentity, 'id'>, token: string) {
      const subscriberId = links.read(token, 'manage', clock.now());
      if (subscriberId === null) return false;
      await database.transaction(async (tx) => {
        const row = await subscriberRows(tx).find(page.id, subscriberId);
        if (row !== undefined) await subscriberChanges(tx).delete(row);
      });
      return true;
    },
  };
}

const hostOf = (address: string | null) => (address === null ? null : canonicalHostOf(address));

/** A subscriber who has not confirmed yet. @param confirmUntil null once they have. */
function renewed(confirmUntil: number | null) {
  return { confirmed_at: null, confirm_until: confirmUntil, ended_reason: null, refusals: 0 };
}
