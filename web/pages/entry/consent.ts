import { isReader, PERMISSIONS, UNCAPPED, type Permission } from '../../lib/applications.ts';

/** Request of an application, which the authorization endpoint has checked (docs/contract.md, section 49). */
export interface ConsentRequest {
  client: {
    /** Chosen by the application itself. */
    name: string | null;
    /** Host of its redirect address, or the scheme of a private one. */
    redirect_host: string;
  };
  scopes: string[];
  teams: ConsentTeam[];
}

/** Team that an application may act in. */
export interface ConsentTeam {
  id: number;
  name: string;
  role: string;
  is_current: boolean;
  /** Whether the team asks for a second factor, which the session has not. */
  needs_mfa: boolean;
  /** What the application may do there already; null where it is not connected. */
  granted: readonly string[] | null;
}

/** Characters of a host with a port, in ASCII as URLs have it: no other text fits. */
const HOST = /^[a-z0-9.-]{1,253}(:\d{1,5})?$/;
/** Characters of an error code, all of whose words are joined (RFC 6749, section 4.1.2.1). */
const ERROR_CODE = /^[a-z_]{1,40}$/;

/**
 * Refused request of an application that the query of the page names; null for none. Anybody can make such a link, so the
 * page shows no free text of it as if Tocsin said so.
 */
export function refusalIn(query: URLSearchParams): { host: string; code: string } | null {
  const host = query.get('host') ?? '';
  const code = query.get('error') ?? '';
  return HOST.test(host) && ERROR_CODE.test(code) ? { host, code } : null;
}

/** Choice of a permission. */
export interface Choice {
  permission: Permission;
  isChosen: boolean;
  /** Whether the person can't change it. */
  isFixed: boolean;
}

/** Permissions that are off unless chosen: these can do harm by a text that talks an assistant into it. */
const UNUSUAL: readonly Permission[] = ['delete', 'check_url'];

/**
 * Choices that a request leaves to the person. Reading is always granted, what the role does not allow never is, and deleting
 * and checking any address are off unless chosen. An application that is connected already keeps what it may do.
 *
 * @param scopes that the application asked for
 * @param changes of the person, which they keep in another team
 */
export function choicesOf(
  scopes: readonly string[],
  { role, granted }: Pick<ConsentTeam, 'role' | 'granted'>,
  changes: ReadonlyMap<Permission, boolean> = new Map(),
): Choice[] {
  const asked = PERMISSIONS.filter(
    (permission) => permission === 'read' || scopes.includes(permission),
  );
  return asked.map((permission) => {
    if (permission === 'read') return { permission, isChosen: true, isFixed: true };
    if (isReader(role) && !UNCAPPED.includes(permission))
      return { permission, isChosen: false, isFixed: true };
    const isUsual = granted?.includes(permission) ?? !UNUSUAL.includes(permission);
    return { permission, isChosen: changes.get(permission) ?? isUsual, isFixed: false };
  });
}

/** What the person should know about their choice. */
export type ConsentNote = 'needsFactor' | 'onlyReads' | 'replaces';

/** What the person should know about their choice; null for nothing. */
export function noteOf(
  scopes: readonly string[],
  { role, needs_mfa, granted }: Pick<ConsentTeam, 'role' | 'granted' | 'needs_mfa'>,
): ConsentNote | null {
  if (needs_mfa) return 'needsFactor';
  const asksMore = choicesOf(scopes, { role, granted }).length > 1;
  if (asksMore && isReader(role)) return 'onlyReads';
  return granted === null ? null : 'replaces';
}

/** The team that is chosen at first: that of the session, unless it can't be connected. */
export function firstTeam(teams: readonly ConsentTeam[]): ConsentTeam | undefined {
  const usable = teams.filter(({ needs_mfa }) => !needs_mfa);
  return usable.find(({ is_current }) => is_current) ?? usable[0] ?? teams[0];
}
