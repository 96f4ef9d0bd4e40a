/** What a token may do; the holder's role caps it (contract 3.10). */
export const PERMISSIONS = ['read', 'create', 'update', 'delete'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** From the one that may do everything to the one that may only look. */
export const ROLES = ['owner', 'admin', 'editor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** How somebody signs in. */
export const SIGN_IN_METHODS = ['password', 'passkey', 'oidc', 'github', 'google'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

export interface CallerTeam {
  id: number;
  name: string;
  slug: string;
  personalTeam: boolean;
  /** A plan of PLANS_FILE; null for its default. */
  plan: string | null;
}

/** Who calls, whether or not they are in a team. */
export interface Principal {
  person: { id: number; name: string; email: string; timezone: string };
  /** Every call acts on this team; null while there is none that they may act on. */
  team: CallerTeam | null;
  role: Role | null;
  /** Why there is no team though they are a member of one. */
  withheld: 'mfa_required' | null;
  /** What the token holds; a session holds them all. */
  permissions: readonly Permission[];
  /** What they showed; a link is one that was sent to them, and opens nothing else. */
  credential: { kind: 'token' | 'session' | 'link'; id: number; name: string };
  /** The client's, for the audit log; null when a call comes from no client. */
  address: string | null;
}

/** Who calls, on which team, and what they may do. */
export interface Caller extends Principal {
  team: CallerTeam;
  role: Role;
}

/** The least role that may do with monitors, groups, incidents and the like what a permission names. */
const LEAST_ROLE: Record<Permission, Role> = {
  read: 'viewer',
  create: 'editor',
  update: 'editor',
  delete: 'editor',
};

/** Both must allow it: the token, and the role of the person who holds it. */
export function may(caller: Caller, permission: Permission, least?: Role): boolean {
  return caller.permissions.includes(permission) && roleMay(caller.role, permission, least);
}

/** @param least the least role for it; what it is for monitors unless told otherwise. */
export function roleMay(
  role: Role,
  permission: Permission,
  least: Role = LEAST_ROLE[permission],
): boolean {
  return isAtLeast(role, least);
}

export function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(least);
}
