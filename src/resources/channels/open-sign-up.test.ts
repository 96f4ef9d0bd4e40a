import { describe, expect, test } from 'vitest';
import { openApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { deliveriesOf, enqueue, giveChannel, giveTeam } from '../../../test/support/deliveries.ts';
import { START, startWorkers } from '../../../test/support/delivery-worker.ts';
import { notice } from '../../../test/support/channel-deliveries.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { email } from '../../alerting/channels/email.ts';
import { peopleStore } from '../../store/people/people.ts';
import { teamStore } from '../../store/people/teams.ts';

const CHANNELS = '/api/v1/alert-channels';

describe('e-mail channels of a team with open sign-up [39.56]', () => {
  const opened = openInMemory().then(async (database) => {
    const api = await openApi(database, { openSignup: true });
    for (const { personId } of [api.ed, api.mallory])
      await updateRows(database, 'person', { email_verified: 1 }, { id: personId });
    return api;
  });
  const save = async (addresses: string[]) => {
    const api = await opened;
    const body = { type: 'email', settings: { addresses } };
    return api.call(api.alice, 'POST', CHANNELS, body);
  };

  test.for<[what: string, addresses: string[], status: number]>([
    ['a member who has confirmed it', ['Ed@example.com'], 201],
    ['a stranger', ['victim@example.org'], 422],
    ['a member who has not', ['vera@example.com'], 422],
    ['somebody of another team', ['mallory@example.com'], 422],
    ['one of them among members', ['ed@example.com', 'victim@example.org'], 422],
  ])('%s: %j', async ([_what, addresses, status]) => {
    const answer = await save(addresses);
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
    if (status === 422)
      expect(Object.keys(answer.body['errors'] as object)).toEqual(['settings.addresses']);
  });

  test('an update adds no stranger, and keeps what was stored', async () => {
    const api = await opened;
    const { body } = await save(['ed@example.com']);
    const path = `${CHANNELS}/${String(body.id)}`;
    const put = (addresses: string[]) =>
      api.call(api.alice, 'PUT', path, { name: 'On call', settings: { addresses } });
    expect((await put(['ed@example.com', 'victim@example.org'])).status).toBe(422);
    await updateRows(api.database, 'person', { email_verified: 0 }, { id: api.ed.personId });
    expect((await put(['ed@example.com'])).status).toBe(200);
    await updateRows(api.database, 'person', { email_verified: 1 }, { id: api.ed.personId });
  });
});

test('without open sign-up a team names any address', async () => {
  const api = await openApi(await openInMemory());
  const body = { type: 'email', settings: { addresses: ['oncall@example.org'] } };
  expect((await api.call(api.alice, 'POST', CHANNELS, body)).status).toBe(201);
});

eachDatabase((_name, open) => {
  test.for([
    [true, ['ed@example.com'], 'delivered'],
    [false, ['Ed@example.com', 'victim@example.org'], 'delivered'],
  ] as const)(
    'an alert goes to members alone with OPEN_SIGNUP=%s [39.56]',
    async ([openSignup, recipients, status]) => {
      const database = await open();
      const team = await giveTeam(database);
      await database.transaction(async (tx) => {
        const id = await peopleStore(tx).insert(
          { name: 'Ed', email: 'ed@example.com', timezone: 'UTC' },
          0,
        );
        await teamStore(tx).insertMember(team, id, 'editor', 0);
      });
      await updateRows(database, 'person', { email_verified: 1 }, { email: 'ed@example.com' });
      const sent: string[] = [];
      const mailer = {
        send: async ({ to }: { to: string }) => {
          sent.push(to);
          return { outcome: 'sent' as const };
        },
      };
      const work = startWorkers(database, {
        channelType: () => email,
        mailer: mailer as never,
        openSignup,
      });
      await work.rest();
      const send = async (addresses: string[]) => {
        const { destinationId } = await giveChannel(database, team, {
          type: 'email',
          settings: { addresses },
        });
        const delivery = {
          destinationId,
          teamId: team,
          messageId: `msg_${destinationId}`,
          kind: 'alarm',
          eventType: null,
          incidentId: null,
          alertId: null,
          body: JSON.stringify(notice()),
        };
        await enqueue(database, [delivery], START);
        await work.pass(1_000);
        return (await deliveriesOf(database, destinationId)).map((one) => one.status);
      };
      expect(await send(['Ed@example.com', 'victim@example.org'])).toEqual([status]);
      expect(sent.map((to) => to.toLowerCase()).toSorted()).toEqual(
        recipients.map((to) => to.toLowerCase()),
      );
      sent.length = 0;
      expect(await send(['victim@example.org'])).toEqual([openSignup ? 'failed' : 'delivered']);
      expect(sent).toEqual(openSignup ? [] : ['victim@example.org']);
    },
  );
});

/** How many teams Mallory can own. */
const owned = async (openSignup: boolean) => {
  const api = await openApi(await openInMemory(), { openSignup });
  let count = 0;
  while ((await api.call(api.mallory, 'POST', '/api/v1/teams', { name: 'One' })).status === 201)
    count += 1;
  return count + 1;
};

test('with open sign-up a person owns five teams, else a hundred [39.57]', async () => {
  expect([await owned(true), await owned(false)]).toEqual([5, 100]);
});
