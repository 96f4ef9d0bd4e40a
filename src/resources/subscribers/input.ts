import { z } from 'zod';
import { oneOf, text } from '../../lib/schemas.ts';
import { SUBSCRIBER_KINDS, type SubscriberKind } from '../../store/resources/subscribers.ts';
import { emailAddress } from '../common/people-input.ts';
import { idList } from '../common/lists.ts';
import type { Findings } from '../common/input.ts';
import { required } from '../common/input.ts';
import { webhookUrlFault, type WebhookRules } from '../webhooks/fields.ts';
import { MAX_IMPORTED } from './csv.ts';

const MAX_URL = 2_048;
const MAX_CSV = 1_000_000;

export const subscriberInput = z.object({
  kind: oneOf(SUBSCRIBER_KINDS)
    .nullish()
    .meta({ description: 'How the subscriber is notified; `email` unless set.' }),
  address: z
    .string({ error: required('is required: updates are sent there', 'must be text') })
    .min(1)
    .max(MAX_URL)
    .meta({
      description:
        'An e-mail address, the URL of a webhook, or that of an incoming webhook of Slack.',
    }),
  monitors: idList('monitors')
    .nullish()
    .meta({ description: 'Ids of services of the page; all of them unless set.' }),
});

export const importInput = z.object({
  csv: z
    .string({ error: required('is required: a file with a column `address`', 'must be text') })
    .min(1)
    .max(MAX_CSV)
    .meta({
      description: `CSV of at most ${MAX_IMPORTED} lines with the columns \`address\` (or \`email\`) and perhaps \`monitors\`, ids with spaces in between.`,
    }),
  consent: text(500).nullish().meta({
    description:
      'How these people agreed to get mails, for the audit log. With it they are subscribed at once; without it each gets a mail to confirm.',
  }),
  dry_run: z
    .boolean({ error: 'must be true or false' })
    .nullish()
    .meta({ description: 'Only tells what would happen.' }),
});

const email = emailAddress();

/** Adds the mistake in an address. */
export function checkAddress(
  kind: SubscriberKind,
  address: string,
  rules: WebhookRules,
  findings: Findings,
): void {
  const fault = addressFault(kind, address, rules);
  if (fault !== null) findings.add('address', fault);
}

/** The mistake in an address, as a predicate; null if there is none. */
export function addressFault(
  kind: SubscriberKind,
  address: string,
  rules: WebhookRules,
): string | null {
  if (kind !== 'email') return webhookUrlFault(address, rules);
  const read = email.safeParse(address);
  return read.success ? null : (read.error.issues[0]?.message ?? 'must be an e-mail address');
}
