import { expect, test } from 'vitest';
import {
  beginStory,
  channelOf,
  during,
  justNotified,
  type AlertStory,
} from '../../../test/support/alert-story.ts';
import { ending } from '../../../test/support/incident-changes.ts';
import { applyIncidentChanges } from '../../engine/record/record.ts';
import { catchUp, POLICIES } from '../policy/index.ts';
import { FLAPPING_AT } from '../policy/changes.ts';
import type { Undelivered } from '../policy/delivery-gap.ts';
import { insertRows, updateRows } from '../../../test/support/rows.ts';

const MINUTE = 60;
const SHARED = { address: '203.0.113.7' };

interface Example {
  /** What happens. @returns the destination of the channel that the messages are of. */
  happens(story: AlertStory): Promise<number>;
  /** Its messages, each with its second, kind and monitors. */
  messages: string[];
  /** The same without the policy. */
  without: string[];
}

/** For each policy something that it changes. */
const EXAMPLES: Record<string, Example> = {
  maintenance: {
    async happens(story) {
      const ops = await channelOf(story);
      await during(story, 600);
      await story.fail(await named(story, 'A'));
      await story.pass(700);
      return ops;
    },
    messages: ['600 alarm A'],
    without: ['0 alarm A'],
  },
  monitor_settings: {
    async happens(story) {
      const ops = await channelOf(story);
      const settings = { channels: { slack: ['warning'] } };
      const notification_settings = JSON.stringify(settings);
      const a = await story.monitor({ friendly_name: 'A', notification_settings });
      await story.fail([a, await named(story, 'B')], SHARED);
      return ops;
    },
    messages: ['0 alarm B'],
    without: ['0 alarm A B'],
  },
  monitor_quiet_hours: {
    async happens(story) {
      const ops = await channelOf(story);
      await story.fail(await quietAtNoon(story, 'A'));
      await story.pass(2 * 60 * MINUTE);
      return ops;
    },
    messages: ['3600 alarm A'],
    without: ['0 alarm A'],
  },
  paused: {
    async happens(story) {
      const ops = await channelOf(story);
      await justNotified(story);
      const a = await named(story, 'A');
      await story.fail(a);
      await updateRows(story.database, 'monitor', { is_paused: 1 }, { id: a });
      await story.pass(MINUTE);
      return ops;
    },
    messages: [],
    without: ['30 alarm A'],
  },
  dependencies: {
    async happens(story) {
      const ops = await channelOf(story);
      const [router, shop] = [await named(story, 'Router'), await named(story, 'Shop')];
      const { teamId } = story.people.alice;
      const dependency = { monitor_id: shop, depends_on_id: router, team_id: teamId, position: 0 };
      await insertRows(story.database, 'monitor_dependency', dependency as never);
      await story.fail(router);
      await story.pass(40);
      await story.fail(shop);
      await story.pass(MINUTE);
      return ops;
    },
    messages: ['0 alarm Router'],
    without: ['0 alarm Router', '40 alarm Shop'],
  },
  outages: {
    async happens(story) {
      const ops = await channelOf(story);
      const a = await named(story, 'A');
      await story.fail(a);
      await story.pass(5 * MINUTE);
      await story.fail(a, { condition: 'error_budget_fast' });
      await story.pass(5 * MINUTE);
      await story.recover(a);
      await story.pass(20 * MINUTE);
      return ops;
    },
    // Fifteen minutes after its end the outage burns no budget any more.
    messages: ['0 alarm A', '600 recovery A', '1500 alarm A'],
    without: ['0 alarm A', '300 alarm A', '600 recovery A'],
  },
  change_over: {
    async happens(story) {
      const ops = await channelOf(story);
      const a = await named(story, 'A');
      await story.fail(a, { condition: 'regional' });
      await story.pass(MINUTE);
      await during(story, 600);
      await story.changeOver(a, 'regional', 'uptime');
      await story.pass(700);
      return ops;
    },
    messages: ['0 alarm A', '660 alarm A'],
    without: ['0 alarm A', '65 recovery A', '660 alarm A'],
  },
  storms: {
    async happens(story) {
      const ops = await channelOf(story);
      await story.fail(await several(story, 3), SHARED);
      return ops;
    },
    messages: ['0 alarm A B C'],
    without: ['0 alarm A', '0 alarm B', '0 alarm C'],
  },
  worsening: {
    async happens(story) {
      const ops = await channelOf(story);
      const a = await named(story, 'A');
      await story.fail(a, { condition: 'regional' });
      await story.pass(MINUTE);
      await story.changeOver(a, 'regional', 'uptime');
      return ops;
    },
    messages: ['0 alarm A', '60 alarm A'],
    without: ['0 alarm A', '60 update A A'],
  },
  flapping: {
    async happens(story) {
      const ops = await channelOf(story);
      const a = await named(story, 'A');
      for (let count = 1; count < FLAPPING_AT; count += 1) {
        await story.fail(a);
        await story.recover(a);
      }
      await story.pass(MINUTE);
      await story.messages(ops);
      await story.fail(a);
      await story.pass(MINUTE);
      await story.recover(a);
      await story.pass(31 * MINUTE);
      return ops;
    },
    messages: ['60 alarm A', '1920 recovery A'],
    without: ['60 alarm A', '120 recovery A'],
  },
  succession: {
    async happens(story) {
      const ops = await channelOf(story);
      const a = await named(story, 'A');
      await story.fail(a, { condition: 'regional' });
      await story.pass(MINUTE);
      const of = { monitorId: a, teamId: story.people.alice.teamId, at: story.now() };
      const end = ending({ ...of, condition: 'regional', into: 'uptime' });
      await story.database.transaction((tx) => applyIncidentChanges(tx, [end], story.now()));
      await story.pass(MINUTE);
      return ops;
    },
    messages: ['0 alarm A', '65 recovery A'],
    without: ['0 alarm A'],
  },
  recovery: {
    async happens(story) {
      const ops = await channelOf(story);
      const a = await named(story, 'A');
      await story.fail(a);
      await story.pass(MINUTE);
      await story.recover(a);
      return ops;
    },
    messages: ['0 alarm A', '60 recovery A'],
    without: ['0 alarm A'],
  },
  joining: {
    async happens(story) {
      const ops = await channelOf(story);
      const ids = await several(story, 4);
      await story.fail(ids.slice(0, 3), SHARED);
      await story.pass(40);
      await story.fail(ids[3]!, SHARED);
      await story.pass(MINUTE);
      return ops;
    },
    messages: ['0 alarm A B C', '40 update A B C D'],
    without: ['0 alarm A B C'],
  },
  partial_recovery: {
    async happens(story) {
      const ops = await channelOf(story);
      const ids = await several(story, 3);
      await story.fail(ids, SHARED);
      await story.pass(MINUTE);
      await story.recover(ids[0]!);
      await story.pass(11 * MINUTE);
      return ops;
    },
    messages: ['0 alarm A B C', '660 update A B C'],
    without: ['0 alarm A B C'],
  },
  reminders: {
    async happens(story) {
      const ops = await story.channel();
      await story.route({ channels: `[${ops}]`, reminder_minutes: 30 });
      await story.fail(await named(story, 'A'));
      await story.pass(31 * MINUTE);
      return story.destinationOf('alert_channel', ops);
    },
    messages: ['0 alarm A', '1800 reminder A'],
    without: ['0 alarm A'],
  },
  beginning: {
    async happens(story) {
      const ops = await channelOf(story);
      await story.fail(await named(story, 'A'));
      await story.pass(MINUTE);
      return ops;
    },
    messages: ['0 alarm A'],
    without: [],
  },
  escalation: {
    async happens(story) {
      const [ops, boss] = [await story.channel(), await story.channel()];
      const step = { after_minutes: 10, channels: [boss], users: [] };
      await story.route({ channels: `[${ops}]`, escalation: JSON.stringify([step]) });
      await story.fail(await named(story, 'A'));
      await story.pass(11 * MINUTE);
      return story.destinationOf('alert_channel', boss);
    },
    messages: ['600 escalation A'],
    without: [],
  },
  grouping: {
    async happens(story) {
      const ops = await channelOf(story);
      await justNotified(story);
      await story.fail(await named(story, 'A'));
      await story.pass(MINUTE);
      return ops;
    },
    messages: ['30 alarm A'],
    without: ['0 alarm A'],
  },
  quiet_hours: {
    async happens(story) {
      const night = { from: '11:00', to: '13:00', timezone: 'UTC', allow_critical: false };
      const ops = await channelOf(story, { quiet_hours: JSON.stringify(night) });
      await story.fail(await named(story, 'A'));
      await story.pass(61 * MINUTE);
      return ops;
    },
    messages: ['3600 alarm A'],
    without: ['0 alarm A'],
  },
};

/** A monitor with quiet hours until an hour after the story begins, for critical messages too. */
const quietAtNoon = (story: AlertStory, name: string) => {
  const quiet_hours = { start: '11:00', end: '13:00', bypass_critical: false };
  const notification_settings = JSON.stringify({ quiet_hours });
  return story.monitor({ friendly_name: name, notification_settings });
};

const named = (story: AlertStory, name: string) => story.monitor({ friendly_name: name });

async function several(story: AlertStory, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (const name of 'ABCD'.slice(0, count)) ids.push(await named(story, name));
  return ids;
}

const withoutPolicy = (name: string) => POLICIES.filter((policy) => policy.name !== name);

async function messagesOf({ happens }: Example, policies = POLICIES): Promise<string[]> {
  const story = await beginStory({ policies });
  const begin = story.now();
  const destination = await happens(story);
  return (await story.messages(destination)).map(({ at, kind, troubles }) =>
    [(at - begin) / 1_000, kind, ...troubles.map(({ name }) => name)].join(' '),
  );
}

test.each(Object.keys(EXAMPLES))('the policy %s can be left out', async (name) => {
  const example = EXAMPLES[name]!;
  expect(await messagesOf(example)).toEqual(example.messages);
  expect(await messagesOf(example, withoutPolicy(name))).toEqual(example.without);
});

test('without the policy of delivery gaps a channel gets its whole backlog late', () => {
  const content = {
    kind: 'alarm' as const,
    team: null,
    severity: 'critical' as const,
    at: 0,
    alert: null,
    troubles: [],
    troubleCount: 0,
    headline: null,
    text: null,
    silence: null,
  };
  const lost: Undelivered = { id: 1, messageId: 'msg_1', alertId: 1, isLost: true, content };
  const backlog = { undelivered: [lost], gap: { from: 0, to: 9, reason: null } };
  expect(catchUp(backlog, 9).gapMessage?.replaces).toEqual([1]);
  expect(catchUp(backlog, 9, withoutPolicy('delivery_gap'))).toEqual({
    gapMessage: null,
    repeated: [],
  });
});

test('every policy has an example', () => {
  const names = new Set(POLICIES.map(({ name }) => name));
  expect([...names].toSorted()).toEqual([...Object.keys(EXAMPLES), 'delivery_gap'].toSorted());
});
