import type { Words } from '../words/index.ts';

/** Connected applications in words: what they may do, and where access goes. Pure. */

type ApplicationWords = Words['account']['applications'];

export type Permission = 'read' | 'create' | 'update' | 'delete' | 'check_url';

/** In the order in which they are shown. */
export const PERMISSIONS: readonly Permission[] = [
  'read',
  'create',
  'update',
  'delete',
  'check_url',
];

/** Permissions that no role caps: they change nothing of the team. */
export const UNCAPPED: readonly Permission[] = ['read', 'check_url'];

/** Viewers read, all other roles may do the rest. */
export function isReader(role: string): boolean {
  return role === 'viewer';
}

/**
 * What a connected application may do now: the role of the person caps it at each call.
 *
 * @param role of the person in the team; null while the membership is not active
 */
export function accessText(
  permissions: readonly string[],
  role: string | null,
  words: ApplicationWords,
): string {
  if (role === null) return words.noAccess;
  const isCapped =
    isReader(role) && permissions.some((one) => !UNCAPPED.includes(one as Permission));
  return isCapped ? words.capped(role) : permissionText(permissions, words);
}

function permissionText(permissions: readonly string[], words: ApplicationWords): string {
  const verbs = PERMISSIONS.filter((permission) => permissions.includes(permission)).map(
    (permission) => words.verbs[permission],
  );
  const [only] = verbs;
  if (only === undefined) return words.nothing;
  return verbs.length === 1 ? words.only(only) : words.may(verbs);
}

/**
 * Place to which an application is sent back, which unlike its name it can't make up.
 *
 * @param host of its redirect address, or the scheme of a private one, such as `cursor:`
 */
export function destinationOf(
  host: string,
  words: Pick<ApplicationWords, 'onComputer' | 'onDevice'>,
): string {
  if (/^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)) return words.onComputer(host);
  const scheme = /^([a-z][a-z0-9+.-]*):(\/\/.*)?$/i.exec(host)?.[1];
  return scheme === undefined ? host : words.onDevice(scheme);
}

/**
 * Whether a browser may open the address with which the server answers. Applications on the device register schemes of
 * their own (RFC 8252, section 7.1); schemes that run a script or open a file here are none of them.
 */
export function isOpenable(address: string): boolean {
  const protocol = URL.parse(address)?.protocol;
  return protocol !== undefined && !UNSAFE.has(protocol);
}

const UNSAFE = new Set(['about:', 'blob:', 'data:', 'file:', 'javascript:', 'vbscript:']);
