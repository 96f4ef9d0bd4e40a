import { z } from 'zod';
import { PERMISSIONS, type Principal, ROLES } from '../../identity/caller.ts';
import { nameText, timeZone } from '../../lib/schemas.ts';
import { auditTarget } from '../../model/audit.ts';
import { lockAccount, accountStore } from '../../store/people/accounts.ts';
import { recordChange } from '../common/change.ts';
import { shownAs } from '../common/answer.ts';
import type { PeopleDeps } from '../common/deps.ts';
import { Problem } from '../common/errors.ts';
import { readBody } from '../common/input.ts';
import { type Call, noun } from '../common/operation.ts';

/** A person as `/test` and answers about their account show them. */
const person = shownAs<Pick<Principal['person'], 'id' | 'name' | 'email'>>()({
  id: [z.int(), ({ id }) => id, 1],
  name: [z.string(), ({ name }) => name, 'Alice'],
  email: [z.string(), ({ email }) => email, 'alice@example.com'],
});

export const accountFields = {
  ...person.shape,
  timezone: z.string().meta({ description: 'IANA name.' }),
};

export function viewAccount(of: Principal['person']) {
  return { ...person.view(of), timezone: of.timezone };
}

const alice = { ...person.example, timezone: 'UTC' };

export const teamFields = {
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  personal_team: z.boolean(),
};

const accountAnswer = z.object(accountFields).meta({ id: 'Account', description: 'Your account.' });

const whoAmI = z
  .object({
    user: accountAnswer,
    team: z
      .object(teamFields)
      .nullable()
      .meta({ description: 'Team that calls with this token act on.' }),
    role: z
      .enum(ROLES)
      .nullable()
      .optional()
      .meta({ description: 'Sessions only: your role in this team; null without a team.' }),
    withheld: z.enum(['mfa_required']).nullable().optional().meta({
      description:
        'Sessions only: why there is no team though you are in one: mfa_required when it demands a second factor that you have not set up.',
    }),
    token: z.object({ name: z.string(), permissions: z.array(z.enum(PERMISSIONS)) }),
    api: z.object({ name: z.string(), version: z.string() }),
  })
  .meta({ id: 'WhoAmI', description: 'Person, team and permissions of the token.' });

/** The address and the password are changed at `/api/auth`. */
const accountInput = z.object({
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
    whoAmI({ principal: { person: who, team, role, withheld, permissions, credential } }: Call) {
      return {
        user: viewAccount(who),
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
    testToken({ principal: { person: who } }: Call) {
      return {
        message: `You are signed in as ${who.name}.`,
        user: person.view(who),
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
        await accountStore(tx).update(id, { name, timezone }, now);
        const [before, after] = [viewAccount(stored), viewAccount(wanted)];
        const target = auditTarget('person', wanted);
        await recordChange(tx, principal, { verb: 'updated', target, before, after }, now);
        return wanted;
      });
      forget({ personId: id });
      return viewAccount(changed);
    },
  };
}

export const account = noun('Account', createAccountService, {
  whoAmI: {
    at: 'GET /',
    needs: 'token',
    summary: 'Who am I',
    description: 'Returns the person, team and permissions of the token.',
    answer: whoAmI,
    example: {
      answer: {
        user: alice,
        team: { id: 1, name: 'My team', slug: 'my-team', personal_team: true },
        token: { name: 'First start', permissions: ['read', 'create', 'update', 'delete'] },
        api: { name: 'Tocsin', version: '0.1.0' },
      },
    },
  },
  testToken: {
    at: 'GET /test',
    needs: 'token',
    summary: 'Test the token',
    answer: z
      .object({ message: z.string(), user: z.object(person.shape) })
      .meta({ id: 'TokenTest', description: 'Confirmation that the token is valid.' }),
    example: {
      answer: {
        message: 'You are signed in as Alice.',
        user: person.example,
      },
    },
  },
  updateAccount: {
    at: 'PUT /account',
    role: null,
    summary: 'Update your account',
    description:
      'Changes the given fields. Address, password and second factor are changed at `/api/auth`.',
    body: accountInput,
    answer: accountAnswer,
    example: {
      body: { name: 'Alice', timezone: 'Europe/Berlin' },
      answer: { ...alice, timezone: 'Europe/Berlin' },
    },
  },
});
