/** Stored addresses of one kind that a team may have. */
interface DestinationLimit {
  /** Plural, as in the documentation. */
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
    what: 'Webhooks and Slack channels that are subscribed to status pages',
    perTeam: 200,
    perHost: 50,
    openPerHost: 10,
  },
} as const satisfies Record<string, DestinationLimit>;

export type DestinationLimitName = keyof typeof DESTINATION_LIMITS;

/** Event that asks a webhook or Slack channel to confirm its subscription. */
export const SUBSCRIPTION_CHALLENGE = 'subscription.confirm';

/** Messages to subscribers of one team at one host, for each process. The others wait. */
export const SUBSCRIBER_MESSAGES_PER_MINUTE = 60;

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
