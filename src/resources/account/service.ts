import { z } from 'zod';
import type { Authenticator } from '../../identity/authenticate.ts';
import type { Principal } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { lockAccount, updateAccount } from '../../store/people/accounts.ts';
import type { Database } from '../../store/database/contract.ts';
import { auditTarget } from '../../model/audit.ts';
import { audit } from '../audit-log/entry.ts';
import { Problem } from '../common/errors.ts';
import { timeZone } from '../../lib/schemas.ts';
import { Findings, readBody } from '../common/input.ts';
import { nameText } from '../../lib/schemas.ts';

/** What people may change of their own account here; the address and the password are changed at `/api/auth`. */
export const accountInput = z.object({
  name: nameText(100).optional(),
  timezone: timeZone().optional().meta({ description: 'IANA name.' }),
});

/** One's own account. Nothing but a valid token or session is needed; clients use `test` to see whether theirs is one. */
export interface AccountService {
  whoAmI(principal: Principal): object;
  test(principal: Principal): object;
  /** Only what is present changes. */
  update(principal: Principal, body: unknown): Promise<object>;
}

export interface AccountServiceDeps {
  database: Database;
  clock: Clock;
  /** Their next call must see what is stored now. */
  forget: Authenticator['forget'];
}

export function createAccountService(
  { database, clock, forget }: AccountServiceDeps,
  about: { name: string; version: string },
): AccountService {
  return {
    whoAmI({ person, team, permissions, credential }) {
      return {
        user: viewAccount(person),
        team: team && {
          id: team.id,
          name: team.name,
          slug: team.slug,
          personal_team: team.personalTeam,
        },
        token: { name: credential.name, permissions },
        api: about,
      };
    },

    test({ person }) {
      return {
        message: `You are signed in as ${person.name}.`,
        user: { id: person.id, name: person.name, email: person.email },
      };
    },

    async update(principal, body) {
      const findings = new Findings();
      const given = readBody(accountInput, body, findings) as z.output<typeof accountInput>;
      findings.throwIfAny();
      const { id } = principal.person;
      const changed = await database.transaction(async (tx) => {
        const stored = await lockAccount(tx, id);
        if (stored === undefined) throw new Problem('unauthenticated', 'Unauthenticated.');
        const { name = stored.name, timezone = stored.timezone } = given;
        const wanted = { ...stored, name, timezone };
        if (name === stored.name && timezone === stored.timezone) return stored;
        const now = clock.now();
        await updateAccount(tx, id, { name, timezone }, now);
        const [before, after] = [viewAccount(stored), viewAccount(wanted)];
        const target = auditTarget('person', { id, name });
        await audit(tx, principal, { verb: 'updated', target, before, after }, now);
        return wanted;
      });
      forget({ personId: id });
      return viewAccount(changed);
    },
  };
}

/** A person as they see themselves. */
export function viewAccount({ id, name, email, timezone }: Principal['person']) {
  return { id, name, email, timezone };
}
