/** The receivers: webhook endpoints, channels of the team, and the owner's own channel. */
export type ReceiverName = HookName | ChannelName | 'owner';
export type HookName = 'hook' | 'slow hook' | 'gone hook';
export type ChannelName = 'on call' | 'boss' | 'flaky';

export type StoryEvent =
  | 'shop fails'
  | 'shop recovers'
  | 'site fails'
  | 'site recovers'
  | 'redeliver';

/** The events of a story by minute, and the messages that each receiver must get, in order. */
export interface Story {
  events: [minute: number, event: StoryEvent][];
  received: Partial<Record<ReceiverName, string[]>>;
}

/** The flaky channel is unreachable for this time from the start. */
export const UNREACHABLE_MINUTES = 20;
/** The endpoint answers 410 from its second message on. */
export const GONE_AFTER_MESSAGES = 1;

const SITE = 'Blog, Wiki, Feed';

export const STORIES: Record<string, Story> = {
  'an outage with reminders and escalation': {
    events: [
      [1, 'shop fails'],
      [13, 'shop recovers'],
    ],
    received: {
      hook: ['monitor.down Shop', 'monitor.up Shop'],
      'on call': ['alarm Shop', 'reminder Shop', 'reminder Shop', 'recovery Shop'],
      boss: ['escalation Shop', 'recovery Shop'],
    },
  },
  'a storm, and an endpoint that accepts each message at the second attempt': {
    events: [
      [1, 'site fails'],
      [4, 'site recovers'],
    ],
    received: {
      'slow hook': [
        ...['Blog', 'Wiki', 'Feed'].map((name) => `monitor.down ${name}`),
        ...['Blog', 'Wiki', 'Feed'].map((name) => `monitor.up ${name}`),
      ],
      'on call': [`alarm ${SITE}`, `recovery ${SITE}`],
    },
  },
  'a redelivery, and an endpoint that is deactivated by 410': {
    events: [
      [1, 'shop fails'],
      [3, 'shop recovers'],
      [5, 'redeliver'],
    ],
    received: {
      hook: ['monitor.down Shop', 'monitor.up Shop', 'monitor.down Shop'],
      'gone hook': ['monitor.down Shop'],
      'on call': ['alarm Shop', 'recovery Shop'],
      owner: ['notice'],
    },
  },
  'an unreachable channel and its delivery gap': {
    events: [
      [1, 'shop fails'],
      [4, 'shop recovers'],
    ],
    received: { flaky: ['blind_spot Shop'], owner: ['notice'] },
  },
};
