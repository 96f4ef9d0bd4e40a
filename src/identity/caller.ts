/** Permissions of a token, which the holder's role caps (contract 3.10). */
export const PERMISSIONS = ['read', 'create', 'update', 'delete'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/**
 * Permissions of a connected application. `check_url` lets it request any address: an assistant that was talked into it by
 * a text could carry out there what it has read, so reading does not include it.
 */
export const GRANT_PERMISSIONS = [...PERMISSIONS, 'check_url'] as const;
export type GrantPermission = (typeof GRANT_PERMISSIONS)[number];

/** Roles from the most to the least privileged. */
export const ROLES = ['owner', 'admin', 'editor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

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

export interface Principal {
  person: { id: number; name: string; email: string; timezone: string };
  /** Team that calls act on; null without one they may access. */
  team: CallerTeam | null;
  role: Role | null;
  /** Why `team` is null for a member of a team. */
  withheld: 'mfa_required' | null;
  /** Permissions of the token or grant; a session has all. */
  permissions: readonly Permission[];
  /**
   * Credential of the call. A `grant` is what a person lets an application do, whose name it has. A `link` was sent to the
   * person and grants nothing else. The `operator` of this machine has the rights of the person, and is named in their place.
   */
  credential: {
    kind: 'token' | 'session' | 'grant' | 'link' | 'operator';
    id: number;
    name: string;
  };
  /** Client address for the audit log; null for calls without a client. */
  address: string | null;
  /** True for a grant that may check any address. */
  mayCheckUrl?: true;
  /** True for a call through the tool server for AI assistants. */
  byTool?: true;
  idempotencyKey?: ClaimedKey;
  precondition?: Precondition;
}

/** Idempotency key as one request has claimed it (resources/common/idempotency.ts). */
export interface ClaimedKey {
  id: number;
  /** Another one after a later claim. */
  claim: number;
}

/** What was recorded when `If-Match` was compared (resources/common/precondition.ts). */
export interface Precondition {
  /** Id of the audit entry after which changes are looked for. */
  floor: number;
  /** Ids of later entries that were there. */
  known: ReadonlySet<number>;
  checked: Set<string>;
}

export interface Caller extends Principal {
  team: CallerTeam;
  role: Role;
}

/** Minimum role for a permission on monitors, groups, incidents and other shared resources. */
const MINIMUM_ROLE: Record<Permission, Role> = {
  read: 'viewer',
  create: 'editor',
  update: 'editor',
  delete: 'editor',
};

export function may(caller: Caller, permission: Permission, least?: Role): boolean {
  return caller.permissions.includes(permission) && roleMay(caller.role, permission, least);
}

/** @param least minimum role; by default the one for monitors. */
export function roleMay(
  role: Role,
  permission: Permission,
  least: Role = MINIMUM_ROLE[permission],
): boolean {
  return isAtLeast(role, least);
}

export function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(least);
}
