/** Those who may be told: programs, people's channels, and the owner's own one. */
export type ReceiverName = HookName | ChannelName | 'owner';
export type HookName = 'hook' | 'shy hook' | 'gone hook';
export type ChannelName = 'on call' | 'boss' | 'flaky';

export type Deed = 'shop fails' | 'shop recovers' | 'site fails' | 'site recovers' | 'redeliver';

/** What happens at which minute, who is there to be told, and what each of them takes, in order. */
export interface Story {
  deeds: [minute: number, deed: Deed][];
  told: Partial<Record<ReceiverName, string[]>>;
}

/** The flaky channel is out of reach for so many minutes from the beginning. */
export const AWAY_MINUTES = 20;
/** From its second message on, that hook is gone. */
export const GONE_AFTER = 1;

const SITE = 'Blog, Wiki, Feed';

export const STORIES: Record<string, Story> = {
  'an outage with reminders and escalation': {
    deeds: [
      [1, 'shop fails'],
      [13, 'shop recovers'],
    ],
    told: {
      hook: ['monitor.down Shop', 'monitor.up Shop'],
      'on call': ['alarm Shop', 'reminder Shop', 'reminder Shop', 'recovery Shop'],
      boss: ['escalation Shop', 'recovery Shop'],
    },
  },
  'a storm, and an endpoint that takes each message at the second attempt': {
    deeds: [
      [1, 'site fails'],
      [4, 'site recovers'],
    ],
    told: {
      'shy hook': [
        ...['Blog', 'Wiki', 'Feed'].map((name) => `monitor.down ${name}`),
        ...['Blog', 'Wiki', 'Feed'].map((name) => `monitor.up ${name}`),
      ],
      'on call': [`alarm ${SITE}`, `recovery ${SITE}`],
    },
  },
  'a redelivery, and an endpoint that is switched off by 410': {
    deeds: [
      [1, 'shop fails'],
      [3, 'shop recovers'],
      [5, 'redeliver'],
    ],
    told: {
      hook: ['monitor.down Shop', 'monitor.up Shop', 'monitor.down Shop'],
      'gone hook': ['monitor.down Shop'],
      'on call': ['alarm Shop', 'recovery Shop'],
      owner: ['notice'],
    },
  },
  'a channel that is out of reach, and its blind spot': {
    deeds: [
      [1, 'shop fails'],
      [4, 'shop recovers'],
    ],
    told: { flaky: ['blind_spot Shop'], owner: ['notice'] },
  },
};
