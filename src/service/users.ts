import type { Caller } from '../identity/caller.ts';
import type { Database } from '../store/contract.ts';
import { listMembers, type MemberRow } from '../store/people.ts';
import { authorise } from './errors.ts';
import { isoOrNull, isoTime } from './time.ts';

/** The people of the caller's team. */
export interface UserService {
  /** All members, the owner and disabled ones included. */
  list(caller: Caller): Promise<object>;
}

export function createUserService({ database }: { database: Database }): UserService {
  return {
    async list(caller) {
      authorise(caller, 'read');
      const rows = await listMembers(database.read, caller.team.id);
      return { team: caller.team.name, total: rows.length, data: rows.map(viewMember) };
    },
  };
}

function viewMember(row: MemberRow): object {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    status: row.status,
    mfa_enabled: row.mfa_enabled === 1,
    created_at: isoTime(row.created_at),
    added_at: isoTime(row.added_at),
    last_login_at: isoOrNull(row.last_login_at),
  };
}
