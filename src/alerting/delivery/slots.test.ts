import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSlots } from './slots.ts';

const LIMITS = { all: 10, each: 3, failing: 5, mails: 2, subscribers: 4, subscriberMails: 2 };
/** Slots of subscribers, which alerts and mails to people never take. */
const OF_SUBSCRIBERS = LIMITS.subscribers + LIMITS.subscriberMails;
const kind = 'channel';

test('no owner has more than their share, and those that fail leave half to the others [34.42]', () => {
  const slots = createSlots(LIMITS);
  const asking = [1, 1, 1, 1, 2, 2, 2].map(
    (owner, id) => ({ id, kind, owner, isFailing: true }) as const,
  );
  const well = [1, 3].map(
    (owner, index) => ({ id: 10 + index, kind, owner, isFailing: false }) as const,
  );
  expect([...slots.choose([...asking, ...well])]).toEqual([0, 1, 2, 4, 5, 11]);
});

test('mails have slots of their own: many of them take none from alerts, nor alerts from them', () => {
  const slots = createSlots(LIMITS);
  const mails = [1, 2, 3].map((id) => ({ id, kind: 'mail', owner: 0, isFailing: false }) as const);
  const alerts = Array.from(
    { length: 12 },
    (_, index) => ({ id: 10 + index, kind, owner: index, isFailing: false }) as const,
  );
  const asking = [...mails, ...alerts];
  const chosen = slots.choose(asking);
  expect([...chosen]).toEqual([1, 2, ...alerts.slice(0, 10).map(({ id }) => id)]);
  const leave = asking.filter(({ id }) => chosen.has(id)).map((one) => slots.enter(one));
  expect([slots.free(), slots.full().exceptKinds]).toEqual([
    OF_SUBSCRIBERS,
    ['webhook', 'channel', 'mail'],
  ]);
  leave[0]!();
  expect(slots.full().exceptKinds).toEqual(['webhook', 'channel']);
  expect([...slots.choose([...mails, ...alerts])]).toEqual([1]);
});

test('subscribers of status pages have slots of their own, of which a team gets its share', () => {
  const slots = createSlots(LIMITS);
  const mails = [1, 2, 3].map(
    (id) => ({ id, kind: 'subscriber_mail', owner: 0, isFailing: false }) as const,
  );
  const webhooks = [7, 7, 7, 7, 8, 8].map(
    (owner, index) => ({ id: 10 + index, kind: 'subscriber', owner, isFailing: true }) as const,
  );
  const alert = { id: 30, kind, owner: 1, isFailing: false } as const;
  const account = { id: 31, kind: 'mail', owner: 0, isFailing: false } as const;
  const asking = [...mails, ...webhooks, alert, account];
  const chosen = slots.choose(asking);
  expect([...chosen]).toEqual([1, 2, 10, 11, 12, 14, 30, 31]);
  for (const one of asking) if (chosen.has(one.id)) slots.enter(one);
  expect(slots.full()).toEqual({
    exceptOwners: [7],
    exceptFailing: false,
    exceptKinds: ['subscriber', 'subscriber_mail'],
  });
});

test('whoever leaves makes place', () => {
  const slots = createSlots(LIMITS);
  const leave = [1, 2, 3].map((id) => slots.enter({ id, kind, owner: 7, isFailing: false }));
  expect(slots.full()).toEqual({ exceptOwners: [7], exceptFailing: false, exceptKinds: [] });
  leave[0]!();
  expect(slots.full().exceptOwners).toEqual([]);
  expect(slots.free()).toBe(8 + LIMITS.mails + OF_SUBSCRIBERS);
  expect([
    ...slots.choose([8, 9].map((id) => ({ id, kind, owner: 7, isFailing: false }) as const)),
  ]).toEqual([8]);
});

test('the limits hold however they come and go', () => {
  const entrant = fc.record({
    owner: fc.integer({ min: 1, max: 4 }),
    isFailing: fc.boolean(),
    leaves: fc.nat({ max: 20 }),
  });
  fc.assert(
    fc.property(fc.array(fc.array(entrant, { maxLength: 8 }), { maxLength: 10 }), (rounds) => {
      const slots = createSlots(LIMITS);
      let inside: { owner: number; isFailing: boolean; leave: () => void }[] = [];
      for (const round of rounds) {
        const asking = round.map((one, id) => ({ ...one, kind, id }) as const);
        const chosen = slots.choose(asking);
        for (const one of asking)
          if (chosen.has(one.id)) inside.push({ ...one, leave: slots.enter(one) });
        expect(inside.length).toBe(LIMITS.all + LIMITS.mails + OF_SUBSCRIBERS - slots.free());
        expect(inside.length).toBeLessThanOrEqual(LIMITS.all);
        expect(inside.filter((one) => one.isFailing).length).toBeLessThanOrEqual(LIMITS.failing);
        for (const owner of [1, 2, 3, 4])
          expect(inside.filter((one) => one.owner === owner).length).toBeLessThanOrEqual(
            LIMITS.each,
          );
        const leaving = inside.filter((_, index) => index % 3 === round.length % 3);
        for (const one of leaving) one.leave();
        inside = inside.filter((one) => !leaving.includes(one));
      }
    }),
  );
});
