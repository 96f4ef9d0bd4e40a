import { isIP } from 'node:net';
import { isTimeZone } from '../../lib/time-zone.ts';
import { nameOf } from './common.ts';
import type { Draft } from './draft.ts';
import { quoted, type Notes } from './notes.ts';

const MAX_SERVICES = 200;
const MAX_SECTIONS = 50;
const MAX_ADDRESSES = 100;
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const DOMAIN =
  /^(?=.{1,245}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** A status page of another service. */
export interface PageDraft {
  name: string | undefined;
  slug: string | undefined;
  domain: string | undefined;
  /** IANA name. */
  timezone: string;
  hasPassword: boolean;
  /** Addresses and networks that may see it; all may where there is none. */
  addresses: readonly string[];
  services: readonly PageService[];
}

export interface PageService {
  /** Key. */
  monitor: string;
  label: string | undefined;
  display: 'bar' | 'figure' | 'response_time' | undefined;
  /** Heading that it stands under; none where it is empty. */
  section: string | undefined;
}

/** Adds a status page within the limits of the API. */
export function addPage(draft: Draft, source: string, notes: Notes, page: PageDraft): void {
  const services = [...new Map(page.services.map((one) => [one.monitor, one])).values()];
  if (services.length > MAX_SERVICES)
    notes.change(`Only its first ${MAX_SERVICES} services are taken over.`);
  const shown = services.slice(0, MAX_SERVICES);
  const sections = Map.groupBy(
    shown.filter(({ section }) => section),
    ({ section }) => nameOf(section, 60, 'Services', notes),
  );
  if (sections.size > MAX_SECTIONS)
    notes.change(`Only its first ${MAX_SECTIONS} sections are taken over.`);
  if (!isTimeZone(page.timezone))
    notes.change(`Its days are those of UTC: ${quoted(page.timezone)} is no known time zone.`);
  const domain = page.domain?.toLowerCase() ?? '';
  if (domain !== '') notes.remark('Its domain must be verified anew, and lead here.');
  draft.add('status_pages', {
    source,
    notes,
    fields: {
      name: nameOf(page.name, 100, 'Status page', notes),
      slug: page.slug !== undefined && SLUG.test(page.slug) ? page.slug : undefined,
      custom_domain: DOMAIN.test(domain) ? domain : undefined,
      timezone: isTimeZone(page.timezone) ? page.timezone : 'UTC',
      access: accessOf(page, notes),
      monitors: shown.map(({ monitor, label, display }) => ({
        id: monitor,
        ...(label?.trim() && { label: nameOf(label, 100, '', notes) }),
        ...(display !== undefined && { display }),
      })),
      groups: [...sections].slice(0, MAX_SECTIONS).map(([name, own]) => ({
        name,
        monitors: own.map(({ monitor }) => monitor),
      })),
    },
  });
}

function accessOf({ hasPassword, addresses }: PageDraft, notes: Notes) {
  if (hasPassword) {
    notes.change(
      'Its password is not in the file: only members of the team see it until you set one.',
    );
    return { type: 'members' };
  }
  const sound = addresses.filter(isNetwork).slice(0, MAX_ADDRESSES);
  if (sound.length < addresses.length)
    notes.change('Not all addresses that may see it are taken over.');
  return sound.length === 0 ? undefined : { type: 'addresses', addresses: sound };
}

/** An address, or a network such as `192.0.2.0/24`. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || more.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  );
}
