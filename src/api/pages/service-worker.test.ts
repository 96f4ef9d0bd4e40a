import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

const script = readFileSync(new URL('./browser/service-worker.js', import.meta.url), 'utf8');

/** The worker with a browser that keeps what it is asked to show and to open. */
function startWorker() {
  const listeners = new Map<string, (event: object) => void>();
  const shown: { title: string; options: Record<string, unknown> }[] = [];
  const opened: string[] = [];
  runInNewContext(script, {
    self: {
      addEventListener: (name: string, listener: (event: object) => void) =>
        void listeners.set(name, listener),
      registration: {
        showNotification: async (title: string, options: Record<string, unknown>) =>
          void shown.push({ title, options: JSON.parse(JSON.stringify(options)) }),
      },
      clients: { openWindow: async (url: string) => void opened.push(url) },
    },
  });
  const dispatch = async (name: string, event: object) => {
    const works: Promise<unknown>[] = [];
    listeners.get(name)!({ ...event, waitUntil: (work: Promise<unknown>) => works.push(work) });
    await Promise.all(works);
  };
  return {
    shown,
    opened,
    push: (data: { json(): unknown } | null) => dispatch('push', { data }),
    async press(action: string, data: object) {
      let isClosed = false;
      const notification = { data, close: () => void (isClosed = true) };
      await dispatch('notificationclick', { notification, action });
      return isClosed;
    },
  };
}

const PUSH = {
  title: 'Shop is down since 08:02 UTC',
  body: 'Cause: HTTP 503.',
  tone: 'critical',
  tag: 'tocsin-alert-5',
  details: 'https://up.example.com/alert?token=abc',
  acknowledge: 'https://up.example.com/alert?token=abc&acknowledge=1',
};

test('a critical notification stays until dismissed, and can be acknowledged', async () => {
  const { push, shown } = startWorker();
  await push({ json: () => PUSH });
  expect(shown).toEqual([
    {
      title: PUSH.title,
      options: {
        body: PUSH.body,
        data: PUSH,
        tag: PUSH.tag,
        renotify: true,
        requireInteraction: true,
        actions: [{ action: 'acknowledge', title: 'Acknowledge' }],
      },
    },
  ]);
});

test('a message without an alert has no tag and no acknowledge button', async () => {
  const { push, shown } = startWorker();
  const notice = { ...PUSH, tone: 'neutral', tag: null, acknowledge: null };
  await push({ json: () => notice });
  expect(shown[0]!.options).toEqual({ body: PUSH.body, data: notice, requireInteraction: false });
});

test.each([
  ['', [PUSH.details]],
  ['acknowledge', [PUSH.acknowledge]],
])('a press on %j opens %j', async (action, expected) => {
  const { press, opened } = startWorker();
  expect(await press(action, PUSH)).toBe(true);
  expect(opened).toEqual(expected);
});

test.each([{ details: null }, { details: 'javascript:alert(1)' }])(
  'a click without a valid link closes it: %j',
  async (changes) => {
    const { press, opened } = startWorker();
    expect(await press('', { ...PUSH, ...changes })).toBe(true);
    expect(opened).toEqual([]);
  },
);

test.each([
  ['no data', null],
  ['no JSON', { json: () => JSON.parse('{') as unknown }],
])('something is shown of a message with %s', async (_what, data) => {
  const { push, shown } = startWorker();
  await push(data);
  expect(shown).toHaveLength(1);
  expect(shown[0]!.title).toBe('Tocsin');
});
