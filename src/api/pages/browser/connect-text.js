/** Words of the page that connects an application, and of the list of those that are connected. */

/** @typedef {'read' | 'create' | 'update' | 'delete'} Permission */

/**
 * Permissions in words, in the order in which they are shown.
 *
 * @type {{ permission: Permission, text: string, verb: string }[]}
 */
const PERMISSIONS = [
  {
    permission: 'read',
    text: 'See monitors, incidents and reports, and check any address',
    verb: 'read',
  },
  {
    permission: 'create',
    text: 'Create monitors, incidents and maintenance, and publish updates on status pages',
    verb: 'create',
  },
  {
    permission: 'update',
    text: 'Change and pause them, acknowledge and resolve incidents',
    verb: 'change',
  },
  { permission: 'delete', text: 'Delete them', verb: 'delete' },
];

/**
 * Team as the server offers it.
 *
 * @typedef {{
 *   id: number, name: string, role: string, is_current: boolean, needs_mfa: boolean, granted: readonly string[] | null,
 * }} Team
 */

/**
 * Choice of a permission on the page.
 *
 * @typedef {{ permission: Permission, text: string, isChosen: boolean, isFixed: boolean }} Choice
 */

/**
 * Choices that a request leaves to the person. Reading is always granted, what the role does not allow never is, and
 * deleting is off unless chosen. An application that is connected already keeps what it may do.
 *
 * @param {readonly string[]} scopes that the application asked for
 * @param {Pick<Team, 'role' | 'granted'>} team
 * @returns {Choice[]}
 */
export function choicesOf(scopes, { role, granted }) {
  const asked = PERMISSIONS.filter(
    ({ permission }) => permission === 'read' || scopes.includes(permission),
  );
  return asked.map(({ permission, text }) => {
    const isFixed = permission === 'read' || isReader(role);
    const isUsual = granted?.includes(permission) ?? permission !== 'delete';
    return { permission, text, isChosen: permission === 'read' || (!isFixed && isUsual), isFixed };
  });
}

/**
 * @param {readonly string[]} scopes
 * @param {Pick<Team, 'role' | 'granted' | 'needs_mfa'>} team
 * @returns {string} what the person should know about their choice; empty when nothing
 */
export function noteOf(scopes, team) {
  const { role, needs_mfa, granted } = team;
  if (needs_mfa)
    return 'This team requires two-factor authentication: turn it on in your account, then sign in again and connect the application.';
  const asksMore = choicesOf(scopes, team).length > 1;
  if (asksMore && isReader(role))
    return `Your role in this team, ${role}, only allows reading, so the application can only read.`;
  return granted === null ? '' : 'It is connected already. This replaces what it may do.';
}

/** Viewers read, all other roles may do the rest. @param {string} role */
function isReader(role) {
  return role === 'viewer';
}

/**
 * @param {readonly string[]} permissions
 * @returns {string} such as `may read, create and change`
 */
function permissionText(permissions) {
  const verbs = PERMISSIONS.filter(({ permission }) => permissions.includes(permission)).map(
    ({ verb }) => verb,
  );
  if (verbs.length === 0) return 'may do nothing';
  if (verbs.length === 1) return `may only ${verbs[0]}`;
  return `may ${new Intl.ListFormat('en-GB').format(verbs)}`;
}

/**
 * What a connected application may do now: the role of the person caps it at each call.
 *
 * @param {readonly string[]} permissions that it was granted
 * @param {string | null} role of the person in the team; null while the membership is not active
 * @returns {string}
 */
export function accessText(permissions, role) {
  if (role === null) return 'no access: your membership in this team is not active';
  const isCapped = isReader(role) && permissions.some((permission) => permission !== 'read');
  return isCapped ? `may only read, as your role is ${role}` : permissionText(permissions);
}

/**
 * Place to which an application is sent back, which unlike its name it can't make up.
 *
 * @param {string} host of its redirect address, or the scheme of a private one, such as `cursor:`
 * @returns {string}
 */
export function destinationOf(host) {
  if (/^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host))
    return `an application on this computer (${host})`;
  const scheme = /^([a-z][a-z0-9+.-]*):(\/\/.*)?$/i.exec(host)?.[1];
  return scheme === undefined ? host : `an application on this device (${scheme}:)`;
}

/**
 * Whether a browser may open the address with which the server answers. Applications on the device register schemes of
 * their own (RFC 8252, section 7.1); schemes that run a script or open a file here are none of them.
 *
 * @param {string} address
 * @returns {boolean}
 */
export function isOpenable(address) {
  const protocol = URL.parse(address)?.protocol;
  return protocol !== undefined && !UNSAFE.has(protocol);
}

const UNSAFE = new Set(['about:', 'blob:', 'data:', 'file:', 'javascript:', 'vbscript:']);
