import { describe, expect, it, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { peopleStore } from './people.ts';
import { slugOf } from '../resources/slug.ts';
import { createPersonalTeam, createTeam, teamStore } from './teams.ts';

const NOW = 1_000;

test.each([
  ['My team', 'my-team'],
  ['  Ünï -- cödé!  ', 'uni-code'],
  ['日本', 'team'],
])('slug of %j', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

eachDatabase((_name, open) => {
  async function world() {
    const database = await open();
    const person = (email: string) =>
      database.transaction((tx) =>
        peopleStore(tx).insert({ name: 'Jo', email, timezone: 'UTC' }, NOW),
      );
    return { database, person };
  }

  describe('a new team', () => {
    it('has the number that is free where others have its slug, also when they come at once', async () => {
      const { database, person } = await world();
      const ownerId = await person('jo@example.com');
      const team = { name: 'Crew', personalTeam: false, ownerId };
      const made = await Promise.all(
        Array.from({ length: 6 }, () => database.transaction((tx) => createTeam(tx, team, NOW))),
      );
      expect(made.map(({ slug }) => slug).toSorted()).toEqual([
        'crew',
        'crew-2',
        'crew-3',
        'crew-4',
        'crew-5',
        'crew-6',
      ]);
      for (const { id } of made)
        expect(await teamStore(database.read).findMembership(ownerId, id)).toMatchObject({
          role: 'owner',
        });
    });

    it('is one of their own for each of two people of the same name', async () => {
      const { database, person } = await world();
      const ids = [await person('jo@example.com'), await person('jo@example.org')];
      const name = `Jo ${'\u{1f600}'.repeat(97)}`;
      const slugs = [];
      for (const id of ids) {
        const { id: teamId, slug } = await database.transaction((tx) =>
          createPersonalTeam(tx, { id, name }, NOW),
        );
        slugs.push(slug);
        const team = await teamStore(database.read).findMembership(id, teamId);
        expect(team).toMatchObject({ role: 'owner', personal_team: 1 });
        // No longer than people may name a team.
        expect(team?.name).toBe(`Jo ${'\u{1f600}'.repeat(90)}'s team`);
      }
      expect(slugs).toEqual(['jo', 'jo-2']);
    });
  });
});
