import type { DomainFacts, Finding, InspectionSettings } from '../../model/inspection.ts';

const DAY_MS = 86_400_000;

/** A domain that its owner has lost, or is about to lose (RFC 3915): the date says nothing any more. */
const LOST: Record<string, string> = {
  'redemption period': 'is in its redemption period',
  'pending delete': 'is about to be deleted',
};

/**
 * Derives the finding of a domain's registration: expired or lost, or expiring within the threshold. A registry that
 * gives no date still confirms that the domain is registered, which ends a problem of its status. Pure.
 */
export function domainFinding(
  domain: string,
  facts: DomainFacts,
  settings: Pick<InspectionSettings, 'domainExpiryThreshold'>,
  now: number,
): Finding {
  const { expiresAt, statuses } = facts;
  const lost = Object.keys(LOST).find((status) => statuses.includes(status));
  if (lost !== undefined) return expired(`Domain ${domain} ${LOST[lost]}`);
  if (expiresAt === null) return { says: 'good' };
  const day = new Date(expiresAt).toISOString().slice(0, 10);
  const leftMs = expiresAt - now;
  if (leftMs <= 0) return expired(`Domain ${domain} expired on ${day}`);
  if (leftMs >= settings.domainExpiryThreshold * DAY_MS) return { says: 'good' };
  return {
    says: 'bad',
    condition: 'domain_expiring',
    code: 'domain_expiring',
    text: `Domain ${domain} expires in ${daysIn(leftMs)}, on ${day}`,
  };
}

function expired(text: string): Finding {
  return { says: 'bad', condition: 'domain_expired', code: 'domain_expired', text };
}

function daysIn(milliseconds: number): string {
  const days = Math.floor(milliseconds / DAY_MS);
  if (days === 0) return 'less than a day';
  return days === 1 ? '1 day' : `${days} days`;
}
