/** What a token may do; the holder's role caps it (completions, section 3). */
export const PERMISSIONS = ['read', 'create', 'update', 'delete'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const ROLES = ['owner', 'admin', 'editor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** Who calls, on which team, and what they may do. */
export interface Caller {
  person: { id: number; name: string; email: string; timezone: string };
  /** Every call acts on this team. */
  team: { id: number; name: string; slug: string; personalTeam: boolean };
  role: Role;
  token: { id: number; name: string; permissions: Permission[] };
}

/** What a role may do with monitors and incidents. */
const ROLE_PERMISSIONS: Record<Role, readonly Permission[]> = {
  owner: PERMISSIONS,
  admin: PERMISSIONS,
  editor: PERMISSIONS,
  viewer: ['read'],
};

/** Both must allow it: the token, and the role of the person who holds it. */
export function may(caller: Caller, permission: Permission): boolean {
  return caller.token.permissions.includes(permission) && roleMay(caller.role, permission);
}

export function roleMay(role: Role, permission: Permission): boolean {
  return ROLE_PERMISSIONS[role].includes(permission);
}
