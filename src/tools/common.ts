import { fromTeam } from './target-text.ts';

const NAME_LENGTH = 80;
const URL_LENGTH = 200;

/** A monitor as other things refer to it. */
export interface NamedMonitor {
  url: string | null;
  friendly_name: string | null;
}

/** Name of a monitor: what people call it, else its address without secrets. */
export function nameOf({ friendly_name: called, url }: NamedMonitor): string {
  return fromTeam(called ?? shownUrl(url) ?? 'unnamed', NAME_LENGTH);
}

/** Name of a thing as plans and the audit log have it: a monitor without a name has its address. */
export const plainName = (text: string) => nameOf({ friendly_name: null, url: text });

/**
 * Address of a monitor without what may be a secret: credentials, query, fragment, and what follows `/ping/`, since that is
 * the token of a ping URL, here and elsewhere. Null for none.
 */
export function shownUrl(url: string | null): string | null {
  if (url === null) return null;
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return fromTeam(url, URL_LENGTH);
  const parsed = URL.parse(url);
  if (parsed === null) return null;
  const path = parsed.pathname.replace(/\/ping\/.+$/, '/ping/…');
  const rest = parsed.search === '' && parsed.hash === '' ? '' : '?…';
  return fromTeam(`${parsed.protocol}//${parsed.host}${path}${rest}`, URL_LENGTH);
}

/** Numbers and nouns, as in `1 monitor` and `2 monitors`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
