import { isIP } from 'node:net';
import { isTimeZone } from '../../lib/time-zone.ts';
import { nameOf, textUpTo } from './common.ts';
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
  slug?: string | undefined;
  /** The first sound one is taken. */
  domains: readonly string[];
  description?: string | undefined;
  /** IANA name. */
  timezone?: string;
  /** Fields of `settings` that are not the default. */
  settings?: Readonly<Record<string, boolean>> | undefined;
  hasPassword: boolean;
  /** Whether nobody but its authors sees it. */
  isHidden?: boolean;
  /** Addresses and networks that may see it; all may where there is none. */
  addresses?: readonly string[];
  services: readonly PageService[];
}

export interface PageService {
  /** Key. */
  monitor: string;
  label?: string | undefined;
  display?: 'bar' | 'figure' | 'response_time' | undefined;
  /** Heading that it stands under; none where it is empty. */
  section?: string | undefined;
}

/** Adds a status page within the limits of the API. */
export function addPage(draft: Draft, source: string, notes: Notes, page: PageDraft): void {
  const placed = Map.groupBy(page.services, ({ monitor }) => monitor);
  const services = [...placed.values()].map(([first]) => first!);
  if (services.length < page.services.length)
    notes.change('A monitor that stands on it several times is shown in the first place.');
  if (services.length > MAX_SERVICES)
    notes.change(`Only its first ${MAX_SERVICES} services are imported.`);
  const shown = services.slice(0, MAX_SERVICES);
  const sections = Map.groupBy(
    shown.filter(({ section }) => section),
    ({ section }) => nameOf(section, 60, 'Services', notes),
  );
  if (sections.size > MAX_SECTIONS)
    notes.change(`Only its first ${MAX_SECTIONS} sections are imported.`);
  const { timezone, slug = '', settings } = page;
  const isZone = timezone !== undefined && isTimeZone(timezone);
  if (timezone !== undefined && !isZone)
    notes.change(`Its days are those of UTC: ${quoted(timezone)} is no known time zone.`);
  const [domain, ...others] = page.domains
    .map((one) => one.trim().toLowerCase())
    .filter((one) => DOMAIN.test(one) && draft.claim(one));
  if (domain !== undefined) notes.remark(`${quoted(domain)} is served once you have verified it.`);
  if (others.length > 0)
    notes.change(`It is not served under ${others.map(quoted).join(', ')}: a page has one domain.`);
  draft.add('status_pages', {
    source,
    notes,
    fields: {
      name: nameOf(page.name, 100, 'Status page', notes),
      slug: SLUG.test(slug) && draft.claim(slug) ? slug : undefined,
      description: textUpTo(page.description, { maximum: 500, what: 'description' }, notes),
      custom_domain: domain,
      timezone: timezone === undefined || isZone ? timezone : 'UTC',
      settings,
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

function accessOf({ hasPassword, isHidden, addresses = [] }: PageDraft, notes: Notes) {
  if (hasPassword)
    notes.change(
      'Its password is not in the file: only members of the team see it until you set one.',
    );
  else if (isHidden) notes.change('Only members of the team see it until you open it.');
  if (hasPassword || isHidden) return { type: 'members' };
  const sound = addresses.filter(isNetwork).slice(0, MAX_ADDRESSES);
  if (sound.length < addresses.length)
    notes.change('Not all addresses that may see it are imported.');
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
