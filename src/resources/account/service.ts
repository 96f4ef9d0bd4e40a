import { z } from 'zod';
import type { Principal } from '../../identity/caller.ts';
import { auditTarget } from '../../model/audit.ts';
import { lockAccount, updateAccount } from '../../store/people/accounts.ts';
import { audit } from '../audit-log/entry.ts';
import type { PeopleDeps } from '../common/deps.ts';
import { Problem } from '../common/errors.ts';
import { nameText, timeZone } from '../../lib/schemas.ts';
import { readBody } from '../common/input.ts';
import type { Call } from '../common/operation.ts';

/** The address and the password are changed at `/api/auth`. */
export const accountInput = z.object({
  name: nameText(100).optional(),
  timezone: timeZone().optional().meta({ description: 'IANA name.' }),
});

/** The caller's own account. */
export function createAccountService({
  database,
  clock,
  forget,
  version,
}: PeopleDeps & { version: string }) {
  return {
    whoAmI({ principal: { person, team, role, withheld, permissions, credential } }: Call) {
      return {
        user: viewAccount(person),
        team: team && {
          id: team.id,
          name: team.name,
          slug: team.slug,
          personal_team: team.personalTeam,
        },
        ...(credential.kind === 'session' && { role: team === null ? null : role, withheld }),
        token: { name: credential.name, permissions },
        api: { name: 'Tocsin', version },
      };
    },

    /** Confirms that the token or session is valid. */
    testToken({ principal: { person } }: Call) {
      return {
        message: `You are signed in as ${person.name}.`,
        user: { id: person.id, name: person.name, email: person.email },
      };
    },

    /** Changes the given fields. */
    async updateAccount({ principal, body }: Call) {
      const given = readBody(accountInput, body);
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
        const target = auditTarget('person', wanted);
        await audit(tx, principal, { verb: 'updated', target, before, after }, now);
        return wanted;
      });
      forget({ personId: id });
      return viewAccount(changed);
    },
  };
}

export function viewAccount({ id, name, email, timezone }: Principal['person']) {
  return { id, name, email, timezone };
}
