import type { SubscriberKind } from './outgoing.ts';

export type MailKind =
  | 'invitation'
  | 'channel_test'
  | 'own_channel_test'
  | 'reset_password'
  | 'verification'
  | 'email_change'
  | 'enrollment_code'
  | 'password_changed'
  | 'report'
  | 'subscription'
  | 'status_update';

/** A number of uses that a key has in a window, which begins with its first use. */
export interface Budget {
  name: string;
  of: 'recipient' | 'host' | 'person' | 'team' | 'page' | 'client' | 'installation';
  limit: number;
  /** The limit with OPEN_SIGNUP, where it is lower: anybody can have an account and a team then. */
  openLimit?: number;
  windowMs: number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Mails that somebody sends to an address of their choice, whose owner did not ask for them. */
const TO_OTHERS: readonly MailKind[] = ['invitation', 'channel_test'];
/** The same, and tests to confirmed addresses of members. */
const SENT: readonly MailKind[] = [...TO_OTHERS, 'own_channel_test'];
const SUBSCRIPTION = 'mail_subscription';
/** Mails about an account that anybody can request. */
const ABOUT_ACCOUNTS: readonly MailKind[] = ['reset_password', 'email_change'];

/**
 * Budgets of each kind of mail. Mails about an account have budgets of their own, so that nobody can prevent a reset by
 * sending invitations or signing up. The notice of a changed password has none: nobody should miss it. Mails about updates
 * have none here: each subscriber has a limit of its own (status-page/subscribers/hourly-limit.ts).
 */
export const MAIL_BUDGETS: readonly (Budget & { kinds: readonly MailKind[] })[] = [
  { name: 'mail_to_others', kinds: TO_OTHERS, of: 'recipient', limit: 3, windowMs: HOUR },
  {
    name: 'mail_about_account',
    kinds: [...ABOUT_ACCOUNTS, 'verification'],
    of: 'recipient',
    limit: 3,
    windowMs: HOUR,
  },
  // Apart from the others: a new password by a link is the other way to set up a second factor.
  {
    name: 'mail_enrollment',
    kinds: ['enrollment_code'],
    of: 'recipient',
    limit: 3,
    windowMs: HOUR,
  },
  { name: 'mail_test', kinds: ['own_channel_test'], of: 'recipient', limit: 10, windowMs: HOUR },
  { name: 'mail', kinds: SENT, of: 'person', limit: 100, openLimit: 20, windowMs: DAY },
  { name: 'mail', kinds: SENT, of: 'team', limit: 200, openLimit: 40, windowMs: DAY },
  { name: 'mail', kinds: SENT, of: 'installation', limit: 500, windowMs: HOUR },
  {
    name: 'mail_about_account',
    kinds: ABOUT_ACCOUNTS,
    of: 'installation',
    limit: 500,
    windowMs: HOUR,
  },
  {
    name: 'mail_verification',
    kinds: ['verification'],
    of: 'installation',
    limit: 200,
    windowMs: HOUR,
  },
  // Recipients of reports are addresses that a team chose; each mail has a link that ends them.
  { name: 'mail_report', kinds: ['report'], of: 'recipient', limit: 10, windowMs: DAY },
  {
    name: 'mail_report',
    kinds: ['report'],
    of: 'team',
    limit: 1_000,
    openLimit: 20,
    windowMs: DAY,
  },
  { name: 'mail_report', kinds: ['report'], of: 'installation', limit: 5_000, windowMs: HOUR },
  // Anybody can enter any address at a public page.
  { name: SUBSCRIPTION, kinds: ['subscription'], of: 'recipient', limit: 3, windowMs: HOUR },
  {
    name: 'mail_subscription_day',
    kinds: ['subscription'],
    of: 'recipient',
    limit: 10,
    windowMs: DAY,
  },
  { name: SUBSCRIPTION, kinds: ['subscription'], of: 'page', limit: 100, windowMs: HOUR },
  { name: SUBSCRIPTION, kinds: ['subscription'], of: 'client', limit: 10, windowMs: HOUR },
  { name: SUBSCRIPTION, kinds: ['subscription'], of: 'installation', limit: 500, windowMs: HOUR },
];

/** What people do at once that sends requests to addresses of their choice. */
export type SendingAction = 'incident' | 'channel_test' | 'redelivery' | 'challenge';

/** Budgets of these actions; docs/security.md shows them. */
export const ACTION_BUDGETS: readonly (Budget & { action: SendingAction; openLimit: number })[] = [
  budgetOf('incident', 'team', { limit: 1_000, openLimit: 60 }),
  budgetOf('channel_test', 'person', { limit: 120, openLimit: 30 }),
  budgetOf('redelivery', 'team', { limit: 1_000, openLimit: 60 }),
  budgetOf('challenge', 'team', { limit: 200, openLimit: 20 }),
];

const HOOKS = ['slack', 'microsoft_teams', 'webhook'] as const;
const SMS = ['sms'] as const;

/**
 * Budgets of messages that ask a hook or a phone of somebody's choice to confirm its subscription, where a visitor asks for
 * them; those to phones, which the team pays for, also where the team does.
 */
export const CHALLENGE_BUDGETS: readonly (Budget & { kinds: readonly SubscriberKind[] })[] = (
  [
    ['subscription_hook', HOOKS, 'recipient', 3, HOUR],
    ['subscription_hook', HOOKS, 'page', 100, HOUR],
    ['subscription_hook', HOOKS, 'client', 10, HOUR],
    ['subscription_hook', HOOKS, 'installation', 500, HOUR],
    // Slack and Microsoft hold the channels of everybody.
    ['subscription_hook', ['webhook'], 'host', 20, HOUR],
    ['subscription_sms', SMS, 'recipient', 2, HOUR],
    ['subscription_sms', SMS, 'page', 20, HOUR],
    ['subscription_sms', SMS, 'client', 5, HOUR],
    ['subscription_sms', SMS, 'installation', 100, HOUR],
    ['subscription_sms_day', SMS, 'recipient', 3, DAY],
    ['subscription_sms_day', SMS, 'page', 100, DAY],
  ] as const
).map(([name, kinds, of, limit, windowMs]) => ({ name, kinds, of, limit, windowMs }));

function budgetOf(
  name: SendingAction,
  of: 'person' | 'team',
  limits: { limit: number; openLimit: number },
) {
  return { name, action: name, of, ...limits, windowMs: HOUR };
}

export const SIGN_UP_BUDGETS: readonly Budget[] = [
  { name: 'sign_up', of: 'client', limit: 5, windowMs: HOUR },
  { name: 'sign_up', of: 'installation', limit: 100, windowMs: HOUR },
];

/** Bytes of changed values that the audit log stores of a team. */
const AUDIT_BUDGET: Budget = { name: 'audit', of: 'team', limit: 50_000_000, windowMs: DAY };

export function spendingOfAudit(teamId: number, bytes: number): Spending {
  return { budget: AUDIT_BUDGET, key: keyOf(AUDIT_BUDGET, teamId), count: bytes };
}

export interface Spending {
  budget: Budget;
  /** Unique over all budgets. */
  key: string;
  count: number;
}

/** Who causes mails: null for requests without a person or a team. */
export interface MailSender {
  personId: number | null;
  teamId: number | null;
  pageId?: number | undefined;
  /** Hashed client address of a subscription that a visitor asks for. */
  client?: string;
}

/**
 * What mails of one kind spend, in the order of keys, in which transactions lock them.
 *
 * @param recipients a key for each recipient.
 */
export function spendingsOfMail(
  kind: MailKind,
  recipients: readonly string[],
  sender: MailSender,
  { openSignup }: { openSignup: boolean },
): Spending[] {
  const budgets = MAIL_BUDGETS.filter(({ kinds }) => kinds.includes(kind));
  return spendingsOf(budgets, { recipients, sender }, openSignup);
}

/**
 * What a message spends that asks a hook or a phone to confirm its subscription.
 *
 * @param to a key for its address, and its host.
 */
export function spendingsOfChallenge(
  kind: SubscriberKind,
  { recipient, host }: { recipient: string; host: string | null },
  sender: MailSender,
  { openSignup }: { openSignup: boolean },
): Spending[] {
  const { personId, teamId } = sender;
  const isOfTeam = personId !== null && teamId !== null;
  const budgets = CHALLENGE_BUDGETS.filter(
    ({ kinds }) => kinds.includes(kind) && (!isOfTeam || kind === 'sms'),
  );
  return inOrder([
    ...spendingsOf(budgets, { recipients: [recipient], host, sender }, openSignup),
    ...(isOfTeam ? spendingsOfAction('challenge', { personId, teamId }, { openSignup }) : []),
  ]);
}

const one = <Key>(key: Key | null | undefined) => (key == null ? [] : [key]);

/** In the order of keys. */
function spendingsOf(
  budgets: readonly Budget[],
  {
    recipients,
    host,
    sender,
  }: { recipients: readonly string[]; host?: string | null; sender: MailSender },
  openSignup: boolean,
): Spending[] {
  const keys = {
    recipient: recipients,
    host: one(host),
    person: one(sender.personId),
    team: one(sender.teamId),
    installation: ['all'],
    page: one(sender.pageId),
    client: one(sender.client),
  };
  return inOrder(
    budgets.flatMap((budget) =>
      keys[budget.of].map((key) => ({
        budget: inForce(budget, openSignup),
        key: keyOf(budget, key),
        count: budget.of === 'recipient' ? 1 : recipients.length,
      })),
    ),
  );
}

export function spendingsOfAction(
  action: SendingAction,
  { personId, teamId }: { personId: number; teamId: number | null },
  { openSignup }: { openSignup: boolean },
): Spending[] {
  return ACTION_BUDGETS.filter((budget) => budget.action === action).map((budget) => ({
    budget: inForce(budget, openSignup),
    key: keyOf(budget, budget.of === 'team' ? teamId! : personId),
    count: 1,
  }));
}

function inForce(budget: Budget, openSignup: boolean): Budget {
  return openSignup ? { ...budget, limit: budget.openLimit ?? budget.limit } : budget;
}

/** What a sign-up of a client spends, in the order of keys. */
export function spendingsOfSignUp(client: string): Spending[] {
  return inOrder(
    SIGN_UP_BUDGETS.map((budget) => ({
      budget,
      key: keyOf(budget, budget.of === 'client' ? client : 'all'),
      count: 1,
    })),
  );
}

function keyOf({ name, of }: Budget, key: string | number): string {
  return `${name}:${of}:${key}`;
}

/** Equal keys become one. */
function inOrder(spendings: readonly Spending[]): Spending[] {
  const byKey = Map.groupBy(spendings, ({ key }) => key);
  return [...byKey.values()]
    .map((same) => ({ ...same[0]!, count: same.reduce((sum, { count }) => sum + count, 0) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
