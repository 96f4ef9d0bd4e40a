/** Ways in which a subscriber of a status page is notified. */
export const SUBSCRIBER_KINDS = ['email', 'slack', 'microsoft_teams', 'webhook', 'sms'] as const;
export type SubscriberKind = (typeof SUBSCRIBER_KINDS)[number];

/** Longest address of a hook, in characters. */
export const MAX_URL = 2_048;

interface DestinationLimit {
  what: string;
  perTeam: number;
  /** At one host. */
  perHost: number;
  /** The same with OPEN_SIGNUP, when anybody can have a team. */
  openPerHost: number;
}

/**
 * Addresses that a team has messages sent to, apart from mailboxes: nobody can aim Tocsin at a server of somebody else with
 * many of them. Monitors are limited by the plan, mails by their budgets. docs/security.md shows this table.
 */
export const DESTINATION_LIMITS = {
  webhook_endpoint: { what: 'Webhook endpoints', perTeam: 50, perHost: 50, openPerHost: 10 },
  alert_channel: { what: 'Channels of a team', perTeam: 100, perHost: 100, openPerHost: 10 },
  subscriber: {
    what: 'Webhooks, Slack and Teams channels and numbers that a team subscribed to its status pages',
    perTeam: 200,
    perHost: 50,
    openPerHost: 10,
  },
  visitor_webhook: {
    what: 'Webhooks that visitors subscribed to the status pages of a team',
    perTeam: 1_000,
    perHost: 20,
    openPerHost: 10,
  },
} as const satisfies Record<string, DestinationLimit>;

export type DestinationLimitName = keyof typeof DESTINATION_LIMITS;

/** Event that asks a webhook, a channel or a phone to confirm its subscription. */
export const SUBSCRIPTION_CHALLENGE = 'subscription.confirm';

/**
 * Stands for the token of a subscription in a message that waits: those who could read the queue could otherwise end it.
 * Written where it is sent.
 */
export const SUBSCRIPTION_TOKEN = '{subscription-token}';

/** Messages that leave at once after a pause, and how many a minute follow. */
export interface Pace {
  burst: number;
  perMinute: number;
}

/**
 * Paces of messages of one team to one host, counted by each process. What is over waits without an attempt, in its order.
 * Without OPEN_SIGNUP the events of ten thousand monitors that fail and recover leave at once: it bounds loops, not outages.
 */
export const OUTGOING_PACES = {
  event: {
    what: 'Events to webhook endpoints',
    pace: { burst: 20_000, perMinute: 6_000 },
    open: { burst: 300, perMinute: 120 },
  },
  alert: {
    what: 'Messages to channels of a team with an address of their own',
    pace: { burst: 2_000, perMinute: 600 },
    open: { burst: 100, perMinute: 60 },
  },
  subscriber: {
    what: 'Messages to subscribed webhooks, channels and phones',
    pace: { burst: 10, perMinute: 60 },
    open: { burst: 10, perMinute: 60 },
  },
} as const satisfies Record<string, { what: string; pace: Pace; open: Pace }>;

/**
 * Checks a minute that a person starts by hand, of a team in all and at one host, as multiples of what one person may start
 * (RATE_LIMIT_MONITOR_CHECK and RATE_LIMIT_CHECK_URL together).
 */
const CHECK_FACTORS = {
  closed: { team: 10, host: 3 },
  open: { team: 3, host: 1 },
};

/** Checks a minute that a team may start by hand. @param perPerson what one person may start a minute. */
export function checkLimits(perPerson: number, openSignup: boolean) {
  const { team, host } = CHECK_FACTORS[openSignup ? 'open' : 'closed'];
  return { check_team: perPerson * team, check_host: perPerson * host };
}

/**
 * The limit that one more address exceeds, as a predicate; null when there is room.
 *
 * @param hosts of the addresses that the team has; null for one that can't be read.
 */
export function destinationFault(
  name: DestinationLimitName,
  {
    hosts,
    host,
    openSignup,
  }: { hosts: readonly (string | null)[]; host: string | null; openSignup: boolean },
): string | null {
  const { perTeam, perHost, openPerHost } = DESTINATION_LIMITS[name];
  const remedy = 'delete one that is no longer used';
  if (hosts.length >= perTeam) return `must be at most ${perTeam} in a team: ${remedy}`;
  const limit = openSignup ? openPerHost : perHost;
  if (host === null || hosts.filter((one) => one === host).length < limit) return null;
  return `must be at most ${limit} of a team at one host, and ${host} has as many: ${remedy}`;
}
