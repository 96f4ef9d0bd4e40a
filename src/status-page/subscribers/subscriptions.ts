import type { Transaction } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { spendingsOfAction, type MailSender } from '../../model/budgets.ts';
import { SUBSCRIPTION_CHALLENGE } from '../../model/outgoing.ts';
import { destinationStore } from '../../store/alerting/destinations.ts';
import type { MailQueue } from '../../store/alerting/mails.ts';
import type { Database } from '../../store/database/contract.ts';
import type { Schema } from '../../store/database/schema.ts';
import { spendBudgets } from '../../store/people/budgets.ts';
import {
  type SubscriberRow,
  subscriberChanges,
  subscriberRows,
} from '../../store/resources/subscribers.ts';
import type { PageIdentity } from '../facts/model.ts';
import { addressOf, DOCUMENTS } from '../facts/urls.ts';
import { renderConfirmation, slackChallenge, webhookChallenge } from '../render/messages.ts';
import {
  CONFIRM_MS,
  type LinkPurpose,
  type SubscriberLinks,
  type AddressHashes,
} from './addresses.ts';

export const MAX_SUBSCRIBERS = 50_000;

/** Time for which a challenge is retried: the person who adds a webhook watches whether it confirms. */
const CHALLENGE_WITHIN_MS = 15 * 60_000;

interface MailSubscription {
  address: string;
  /** Ids of monitors; empty for the whole page. */
  monitors: readonly number[];
  createdBy: number | null;
  sender: MailSender;
}

/** `full` when the page has too many subscribers. */
type Requested = { subscriber: SubscriberRow; isNew: boolean } | 'full';

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

  async function store(
    tx: Transaction<Schema>,
    page: PageIdentity,
    { address, monitors, createdBy }: MailSubscription,
    now: number,
  ): Promise<Requested> {
    // Two requests for one address come one after the other.
    await subscriberChanges(tx).lockPage(page.id);
    const confirmUntil = now + CONFIRM_MS;
    const chosen = JSON.stringify(monitors);
    const known = await subscriberRows(tx).findByAddress(
      page.id,
      'email',
      hashes.all('email', address),
    );
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
        await subscriberChanges(tx).update(known.id, { confirm_until: confirmUntil }, now);
      return { subscriber: known, isNew: false };
    }
    if ((await subscriberRows(tx).count(page.id)) >= MAX_SUBSCRIBERS) return 'full';
    const id = await subscriberChanges(tx).insert(
      page.teamId,
      {
        page_id: page.id,
        kind: 'email',
        address: secretBox.of('subscriber', page.id).seal(address, 'address'),
        address_hash: hashes.of('email', address),
        monitors: chosen,
        confirmed_at: null,
        confirm_until: confirmUntil,
        created_by: createdBy,
        signing_secret: null,
      },
      now,
    );
    return { subscriber: (await subscriberRows(tx).find(page.id, id))!, isNew: true };
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
     * Adds an unconfirmed subscriber, and sends the mail with the link that confirms it. One that exists gets that mail again,
     * and stays as it is until its link is used, unless a person of the team asks: visitors can't find out whether an
     * address is known. Throws BudgetExceeded; then nothing changes.
     */
    async request(tx: Transaction<Schema>, page: PageIdentity, subscription: MailSubscription) {
      const now = clock.now();
      const requested = await store(tx, page, subscription, now);
      if (requested === 'full') return requested;
      const until = now + CONFIRM_MS;
      const { url } = confirmationOf(page, requested.subscriber.id, subscription.monitors, until);
      const mail = {
        kind: 'subscription' as const,
        to: subscription.address,
        sender: { ...subscription.sender, pageId: page.id },
        ...renderConfirmation(page, { url, until }),
        expiresAt: until,
      };
      await mailQueue.enqueue(tx, mail, now);
      return requested;
    },
    /**
     * Asks a webhook or Slack channel to confirm its subscription: nobody has updates sent to an address whose owner does not
     * want them. A webhook answers with the challenge, or somebody opens the link. Throws BudgetExceeded.
     */
    async challenge(
      tx: Transaction<Schema>,
      page: PageIdentity,
      { id, kind, destination_id: destinationId, monitors }: SubscriberRow,
      sender: { personId: number; teamId: number },
    ) {
      const now = clock.now();
      const until = now + CONFIRM_MS;
      await subscriberChanges(tx).update(id, { confirm_until: until }, now);
      const { token, url } = confirmationOf(page, id, JSON.parse(monitors) as number[], until);
      const pageUrl = addressOf(page, DOCUMENTS.page(page.slug), deps.baseUrl());
      const asked = { page, pageUrl, token, url, until, at: now };
      const message = {
        destinationId: destinationId!,
        teamId: page.teamId,
        messageId: `msg_challenge_${id}_${now}`,
        kind: SUBSCRIPTION_CHALLENGE,
        eventType: SUBSCRIPTION_CHALLENGE,
        incidentId: null,
        alertId: null,
        body: kind === 'slack' ? slackChallenge(asked) : webhookChallenge(asked),
        expiresAt: now + CHALLENGE_WITHIN_MS,
      };
      await destinationStore(tx).enqueue([message], now);
      await spendBudgets(tx, spendingsOfAction('challenge', sender, deps), now);
    },
    find,
    /** Confirms the address of a link, for these services. @returns false when the link is not valid any more. */
    async confirm(page: Pick<PageIdentity, 'id'>, token: string, monitors: readonly number[]) {
      const row = await find(page, token, 'confirm');
      if (row === null) return false;
      const now = clock.now();
      const confirmed = {
        ...renewed(null),
        confirmed_at: row.ended_reason === null ? (row.confirmed_at ?? now) : now,
        monitors: JSON.stringify(monitors),
      };
      await database.transaction((tx) => subscriberChanges(tx).update(row.id, confirmed, now));
      return true;
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

/** A subscriber who has not confirmed yet. @param confirmUntil null once they have. */
function renewed(confirmUntil: number | null) {
  return { confirmed_at: null, confirm_until: confirmUntil, ended_reason: null, refusals: 0 };
}
