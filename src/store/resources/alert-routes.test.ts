import { expect, it } from 'vitest';
import { openApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { existingReferences } from './alert-routes.ts';

eachDatabase((_name, open) => {
  it('what routes name is there when the team has it, and was not deleted', async () => {
    const api = await openApi(await open());
    const { alice, ed, mallory, database } = api;
    const make = async (path: string, body: object, who = alice) =>
      (await api.call(who, 'POST', `/api/v1${path}`, body)).body.id;
    const ntfy = { type: 'ntfy', settings: { topic: 'a' } };
    const [kept, gone] = [(await api.create()).id, (await api.create()).id];
    await api.call(alice, 'DELETE', `/api/v1/monitors/${gone}`);
    const group = await make('/groups', { name: 'Shops' });
    const channel = await make('/alert-channels', ntfy);
    const named = {
      monitors: [kept, gone, (await api.create({}, mallory)).id, 999],
      groups: [await make('/groups', { name: 'Theirs' }, mallory), group],
      channels: [channel, await make('/alert-channels', ntfy, mallory)],
      users: [ed.personId, mallory.personId],
    };
    const { read } = database;
    expect(await existingReferences(read, alice.teamId, named)).toEqual({
      monitors: new Set([kept]),
      groups: new Set([group]),
      channels: new Set([channel]),
      users: new Set([ed.personId]),
    });
    const nothing = { monitors: [], groups: [], channels: [], users: [] };
    const there = await existingReferences(read, alice.teamId, nothing);
    expect(Object.values(there).every((ids) => ids.size === 0)).toBe(true);
  });
});
