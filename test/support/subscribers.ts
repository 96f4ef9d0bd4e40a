import {
  createSubscriberLinks,
  createAddressHashes,
} from '../../src/status-page/subscribers/addresses.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { createSubscriptionForms } from '../../src/status-page/subscribers/forms.ts';
import { createSubscriptions } from '../../src/status-page/subscribers/subscriptions.ts';
import { createMailQueue } from '../../src/store/alerting/mails.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { type NewSubscriber, subscriberChanges } from '../../src/store/resources/subscribers.ts';
import { secretBox } from './deliveries.ts';

export const KEYS = ['a key for tests'];
export const hashes = createAddressHashes(KEYS);
export const subscriberLinks = createSubscriberLinks(KEYS);

/** A queue that mail is configured for. */
export const mailQueue = createMailQueue({
  secretBox,
  keys: KEYS,
  isConfigured: true,
  openSignup: false,
});

/** Adds a confirmed subscriber, by e-mail unless another kind is given. @returns its id. */
export function giveSubscriber(
  database: Database,
  page: { teamId: number; pageId: number },
  address: string,
  { sealed, ...more }: Partial<Omit<NewSubscriber, 'address'>> & { sealed?: string } = {},
): Promise<number> {
  const { kind = 'email' } = more;
  const subscriber: NewSubscriber = {
    page_id: page.pageId,
    kind,
    address: sealed ?? secretBox.of('subscriber', page.pageId).seal(address, 'address'),
    address_hash: hashes.of(kind, address),
    monitors: '[]',
    confirmed_at: 0,
    confirm_until: null,
    created_by: null,
    signing_secret: null,
    ...more,
  };
  return database.transaction((tx) => subscriberChanges(tx).insert(page.teamId, subscriber, 0));
}

const mayReach = (url: string) => url.startsWith('https://') && !url.includes('//10.');
const clientKey = (address: string) => address;

/** The forms of subscriptions, wired as in the service. */
export function formsOn(database: Database, clock: Pick<Clock, 'now'>) {
  const deps = {
    database,
    clock,
    secretBox,
    mailQueue,
    links: subscriberLinks,
    hashes,
    openSignup: false,
  };
  const subscriptions = createSubscriptions({ ...deps, baseUrl: () => 'https://up.example.com' });
  return createSubscriptionForms({
    database,
    clock,
    subscriptions,
    mailQueue,
    clientKey,
    mayReach,
  });
}
