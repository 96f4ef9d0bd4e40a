import { describeSettings } from '../src/config/config.ts';
import { OPEN_PLAN } from '../src/identity/plans.ts';
import {
  ACTION_BUDGETS,
  CHALLENGE_BUDGETS,
  MAIL_BUDGETS,
  type Budget,
  type MailKind,
} from '../src/model/budgets.ts';
import {
  checkLimits,
  DESTINATION_LIMITS,
  OUTGOING_PACES,
  type Pace,
  type SubscriberKind,
} from '../src/model/outgoing.ts';

const HOUR_MS = 3_600_000;

const ACTIONS: Record<(typeof ACTION_BUDGETS)[number]['action'], string> = {
  incident: 'Incidents that people create, each an event for every webhook endpoint',
  channel_test: 'Tests of channels with an address of their own',
  redelivery: 'Webhook events sent again by hand',
  challenge: 'Messages by which a team asks a webhook, channel or phone to confirm a subscription',
};

const CHALLENGES = {
  webhook:
    'The same where a visitor asks a webhook, or a channel of Slack or Teams (for which the limit of a host does not count)',
  sms: 'The same by text message, whether a visitor or the team asks',
} satisfies Partial<Record<SubscriberKind, string>>;

/** Mails that are limited, by kind; null for those that only their recipient causes. */
const MAILS: Record<MailKind, string | null> = {
  invitation: 'Mails: invitations',
  channel_test: 'Mails: tests to unconfirmed addresses',
  own_channel_test: 'Mails: tests to confirmed addresses of members',
  reset_password: 'Mails: password resets',
  verification: 'Mails: confirmations of an address',
  email_change: 'Mails: changes of an address',
  enrollment_code: 'Mails: codes to set up a second factor',
  password_changed: null,
  report: 'Mails: reports',
  subscription: 'Mails: confirmations of a subscription',
  status_update: 'Mails: updates of status pages',
};
/** status-page/subscribers/mailings.ts counts these by subscriber. */
const UPDATES = '10 an hour for one subscriber, who has confirmed the address';

export const OUTGOING_HEAD = ['What', 'Limit', 'With `OPEN_SIGNUP`'];

/** The table of what users can aim elsewhere, from the declarations that are enforced. */
export function outgoingRows(): string[][] {
  const { maxMonitors, maxMonitorsPerHost } = OPEN_PLAN;
  return [
    [
      'Monitors',
      'by [plan](plans.md)',
      `${maxMonitors} in a team, ${maxMonitorsPerHost} of one host`,
    ],
    ...Object.values(DESTINATION_LIMITS).map(({ what, perTeam, perHost, openPerHost }) => [
      what,
      `${perTeam} in a team, ${perHost} at one host`,
      `${openPerHost} at one host`,
    ]),
    ...Object.values(OUTGOING_PACES).map(({ what, pace, open }) => [
      what,
      `${paceText(pace)} of one team to one host, in each process; the others wait`,
      paceText(open) === paceText(pace) ? 'the same' : paceText(open),
    ]),
    ['Personal channels', 'one of each type for a person, and their browsers', 'the same'],
    rateRow('`GET /check-url` and the tool `check_url`', 'RATE_LIMIT_CHECK_URL'),
    rateRow('Manual checks and tests of monitors', 'RATE_LIMIT_MONITOR_CHECK'),
    [
      'Manual checks, tests of monitors and `check-url` together',
      checksText(checkLimits(checksOfPerson(), false)),
      checksText(checkLimits(checksOfPerson(), true)),
    ],
    rateRow('Tests of webhook endpoints', 'RATE_LIMIT_WEBHOOK_TEST'),
    ...ACTION_BUDGETS.map((budget) => budgetRow(ACTIONS[budget.action], [budget])),
    ...Object.entries(CHALLENGES).map(([kind, what]) => {
      const budgets = CHALLENGE_BUDGETS.filter(({ kinds }) =>
        kinds.includes(kind as SubscriberKind),
      );
      return budgetRow(what, budgets);
    }),
    ...Object.entries(MAILS).flatMap(([kind, what]) => {
      if (what === null) return [];
      const budgets = MAIL_BUDGETS.filter(({ kinds }) => kinds.includes(kind as MailKind));
      return [budgets.length === 0 ? [what, UPDATES, 'the same'] : budgetRow(what, budgets)];
    }),
  ];
}

const defaultOf = (setting: string) =>
  Number(describeSettings().find(({ name }) => name === setting)!.default);

const checksOfPerson = () =>
  defaultOf('RATE_LIMIT_MONITOR_CHECK') + defaultOf('RATE_LIMIT_CHECK_URL');

const paceText = ({ burst, perMinute }: Pace) => `${burst} at once, then ${perMinute} a minute`;

const checksText = (limits: ReturnType<typeof checkLimits>) =>
  `${limits.check_team} a minute of one team, ${limits.check_host} of these at one host`;

function rateRow(what: string, setting: string): string[] {
  const limit = defaultOf(setting);
  return [what, `${limit} a minute for one person (\`${setting}\`)`, 'the same'];
}

function budgetRow(what: string, budgets: readonly Budget[]): string[] {
  const open = budgets.filter(({ openLimit }) => openLimit !== undefined);
  return [
    what,
    budgets.map((budget) => limitText(budget, budget.limit)).join('; '),
    open.map((budget) => limitText(budget, budget.openLimit!)).join('; ') || 'the same',
  ];
}

function limitText({ of, windowMs }: Budget, limit: number): string {
  const each = windowMs === HOUR_MS ? 'an hour' : 'a day';
  const whose = {
    recipient: 'to one address',
    host: 'to one host',
    person: 'for one person',
    team: 'for one team',
    page: 'for one status page',
    client: 'from one client address',
    installation: 'for the installation',
  }[of];
  return `${limit} ${each} ${whose}`;
}
