import type { Budget } from './budgets.ts';

const HOUR_MS = 3_600_000;

/** The refusal of what a used-up budget was for: which one, and what to do. @param seconds until its window ends. */
export function budgetRefusal({ name, of, limit, windowMs }: Budget, seconds: number): string {
  const each = windowMs === HOUR_MS ? 'an hour' : 'a day';
  const { refused, counted } = WORDS[name] ?? WORDS['mail']!;
  const toPhone = name.startsWith(SMS) && of === 'recipient';
  const [place, otherwise] = toPhone ? ['to one number', ''] : [PLACES[of], OTHERWISE[of]];
  return `${refused}: the limit is ${limit} ${counted} ${each} ${place}. Try again in ${duration(seconds)}${otherwise}.`;
}

/** A budget in logs, such as `mail_to_others of a recipient`. */
export function nameOf({ name, of }: Budget): string {
  return `${name} of ${of === 'installation' ? 'the installation' : `a ${of}`}`;
}

const MAIL = 'No mail was sent';
const UNASKED = 'No subscriber was added';
const SMS = 'subscription_sms';
const WORDS: Record<string, { refused: string; counted: string }> = {
  sign_up: { refused: 'No account was created', counted: 'new accounts' },
  incident: { refused: 'No incident was created', counted: 'incidents that people create' },
  channel_test: { refused: 'Nothing was sent', counted: 'tests of channels' },
  redelivery: { refused: 'Nothing was sent again', counted: 'repeated deliveries' },
  challenge: {
    refused: UNASKED,
    counted: 'subscriptions of webhooks, channels and phones',
  },
  [SMS]: { refused: UNASKED, counted: 'text messages to confirm a subscription' },
  [`${SMS}_day`]: { refused: UNASKED, counted: 'text messages to confirm a subscription' },
  mail: { refused: MAIL, counted: 'invitations and test mails' },
  mail_to_others: { refused: MAIL, counted: 'invitations and test mails' },
  mail_about_account: { refused: MAIL, counted: 'mails about an account' },
  mail_enrollment: { refused: MAIL, counted: 'codes to set up a second factor' },
  mail_test: { refused: MAIL, counted: 'test mails' },
  mail_subscription: { refused: MAIL, counted: 'mails to confirm a subscription' },
  mail_subscription_day: { refused: MAIL, counted: 'mails to confirm a subscription' },
  mail_verification: { refused: MAIL, counted: 'mails to confirm an address' },
};

const PLACES: Record<Budget['of'], string> = {
  recipient: 'to one e-mail address',
  host: 'to one host',
  person: 'for one person',
  team: 'for one team',
  page: 'for one status page',
  client: 'from one client address',
  installation: 'for the whole installation',
};

const OTHERWISE: Record<Budget['of'], string> = {
  recipient: ', and look for the earlier ones, also among spam',
  host: '',
  person: '',
  team: '',
  page: '',
  client: '',
  installation: ', or tell its operator',
};

function duration(seconds: number): string {
  const [count, unit] =
    seconds < 120
      ? [seconds, 'second']
      : seconds < 7_200
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3_600), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
