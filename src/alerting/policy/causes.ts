import { isIP } from 'node:net';
import { getDomain } from 'tldts';
import { hostOf } from '../../lib/url-host.ts';

/** What is known of an incident that others may share. */
export interface CauseQuestion {
  /** Of the incident (model/condition.ts). */
  type: string;
  /** Of a regional incident. */
  regions: readonly string[];
  /** Name of the machine that looked for all regions, so that no region is a cause; null when there were several. */
  vantage: string | null;
  monitorUrl: string;
  groupName: string | null;
  /** What failed, by region. */
  seen: readonly {
    code: string;
    address: string | null;
    certificate: { subject: string; validTo: string } | null;
  }[];
}

/**
 * What an incident may share with others, in words that stand in a message, the most telling first. Two that name the
 * same words share a cause.
 */
export function causesOf(question: CauseQuestion): string[] {
  const { type, regions, vantage, monitorUrl, groupName, seen } = question;
  const causes: string[] = [];
  for (const { address } of seen) if (address !== null) causes.push(`the address ${address}`);
  if (type === 'ssl' || seen.some(({ code }) => code.startsWith('tls_'))) {
    for (const { certificate } of seen)
      if (certificate !== null)
        causes.push(
          `the certificate of ${certificate.subject}, valid until ${certificate.validTo}`,
        );
  }
  if (type === 'dns' || seen.some(({ code }) => code.startsWith('dns_'))) {
    const domain = domainOf(monitorUrl);
    if (domain !== null) causes.push(`the name servers of ${domain}`);
  }
  if (type === 'regional' && vantage === null && regions.length > 0) {
    const names = regions.join(', ');
    causes.push(regions.length === 1 ? `the region ${names}` : `the regions ${names}`);
  }
  if (groupName !== null) causes.push(`the group ${groupName}`);
  return [...new Set(causes)];
}

function domainOf(url: string): string | null {
  const host = hostOf(url);
  if (host === null || isIP(host) > 0) return null;
  return getDomain(host) ?? host.toLowerCase();
}
