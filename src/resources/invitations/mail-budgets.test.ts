import { describe, expect, test } from 'vitest';
import { openApi, type Answer, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { updateRows } from '../../../test/support/rows.ts';

const INVITATIONS = '/api/v1/users/invitations';
const HOUR = 3_600_000;

const invite = (api: TestApi, email: string, who = api.alice) =>
  api.call(who, 'POST', INVITATIONS, { email, role: 'viewer' });
const resend = (api: TestApi, id: unknown) =>
  api.call(api.alice, 'POST', `${INVITATIONS}/${String(id)}/resend`);
const hashOf = async ({ database }: TestApi) =>
  (await database.read.selectFrom('invitation').select('hash').execute()).map(({ hash }) => hash);

const REFUSAL =
  'No mail was sent: the limit is 3 invitations and test mails an hour to one e-mail address. Try again in 60 minutes, and look for the earlier ones, also among spam.';

eachDatabase((_name, open) => {
  test('of 60 times that an invitation is sent again, two leave: the address gets three mails an hour [39.47]', async () => {
    const api = await openApi(await open());
    const { body } = await invite(api, 'victim@example.org');
    const answers: Answer[] = [];
    for (let batch = 0; batch < 2; batch++) {
      const sent = Array.from({ length: 30 }, () => resend(api, body.id));
      answers.push(...(await Promise.all(sent)));
    }
    const statuses = Map.groupBy(answers, ({ status }) => status);
    expect([statuses.get(200)?.length, statuses.get(429)?.length]).toEqual([2, 58]);
    expect(await api.mails()).toHaveLength(3);
    const refused = statuses.get(429)![0]!;
    expect(refused.body).toEqual({ message: REFUSAL, error: REFUSAL, retry_after: 3_600 });
    expect(refused.headers['retry-after']).toBe('3600');

    // What was refused changed nothing: the link of the last mail is the one that works.
    const before = await hashOf(api);
    expect((await resend(api, body.id)).status).toBe(429);
    expect(await hashOf(api)).toEqual(before);
    await api.clock.advance(HOUR);
    expect((await resend(api, body.id)).status).toBe(200);
  });
});

describe('mails to others [39.47, 39.48]', () => {
  test('deleting and inviting again, another team and other spellings share the budget of an address', async () => {
    const api = await openApi(await openInMemory());
    const { body } = await invite(api, 'sam.lee@gmail.com');
    await api.call(api.alice, 'DELETE', `${INVITATIONS}/${body.id}`);
    expect((await invite(api, 'Sam.Lee@gmail.com')).status).toBe(201);
    expect((await invite(api, 'samlee+1@googlemail.com', api.mallory)).status).toBe(201);
    const refused = await invite(api, 'samlee+2@gmail.com');
    expect([refused.status, refused.body['message']]).toEqual([429, REFUSAL]);
    expect((await invite(api, 'pat@example.org')).status).toBe(201);
    expect(await api.mails()).toHaveLength(4);
  });

  test('a person sends a hundred a day, of whichever team', async () => {
    const api = await openApi(await openInMemory());
    const statuses: number[] = [];
    for (let index = 0; index < 102; index++) {
      const answer = await invite(api, `p${index}@example.org`);
      statuses.push(answer.status);
      await api.call(api.alice, 'DELETE', `${INVITATIONS}/${String(answer.body.id ?? 0)}`);
    }
    expect(statuses.indexOf(429)).toBe(100);
    const refused = await invite(api, 'one-more@example.org');
    expect(refused.body['message']).toBe(
      'No mail was sent: the limit is 100 invitations and test mails a day for one person. Try again in 24 hours.',
    );
    expect(refused.body['retry_after']).toBe(86_400);
  });

  test('a test to an address that no member has confirmed counts like an invitation, one to a member has more', async () => {
    const sent: string[] = [];
    const api = await openApi(await openInMemory(), {
      channelTools: {
        http: { request: () => Promise.reject(new Error('Nothing is requested.')) },
        mailer: {
          send: async ({ to }: { to: string }) => {
            sent.push(to);
            return { outcome: 'sent' };
          },
        },
        vapid: () => Promise.reject(new Error('Nothing is signed.')),
        now: () => 0,
      } as never,
    });
    await updateRows(api.database, 'person', { email_verified: 1 }, { id: api.ed.personId });
    const tryOut = async (address: string) => {
      const made = await api.call(api.alice, 'POST', '/api/v1/alert-channels', {
        type: 'email',
        settings: { addresses: [address] },
      });
      const path = `/api/v1/alert-channels/${String(made.body.id)}/test`;
      const statuses: number[] = [];
      for (let time = 0; time < 12; time++)
        statuses.push((await api.call(api.alice, 'POST', path)).status);
      return statuses.indexOf(429);
    };
    expect(await tryOut('victim@example.org')).toBe(3);
    expect(await tryOut('Ed@example.com')).toBe(10);
    expect(sent).toHaveLength(13);
    expect((await invite(api, 'victim@example.org')).status).toBe(429);
  });
});
