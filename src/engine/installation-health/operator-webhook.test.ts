import { expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { problemRow } from '../../../test/support/process-reports.ts';
import { silentLog } from '../../lib/log.ts';
import { createOperatorWebhook, webhookCall } from './operator-webhook.ts';

const NOW = Date.UTC(2030, 0, 1);

function openWebhook() {
  const clock = createFakeClock({ now: NOW });
  const ids: string[] = [];
  const told: (number | null)[] = [];
  const webhook = createOperatorWebhook({
    url: 'https://ops.example.com/hook',
    http: {
      async request({ headers }) {
        ids.push(headers['webhook-id']!);
        return { ok: true, status: 204, headers: {}, body: Buffer.alloc(0) };
      },
    },
    clock,
    log: silentLog,
    baseUrl: () => 'https://up.example.com',
    version: '0.0.0',
    onNotified: async (_problem, openedAt) => void told.push(openedAt),
  });
  return { clock, ids, told, webhook };
}

test('an evaluation that was made before the last call was recorded tells nothing again', async () => {
  const { clock, ids, told, webhook } = openWebhook();
  const problem = problemRow(NOW);
  webhook.notify([problem]);
  await clock.settle();
  expect(told).toEqual([problem.openedAt]);
  webhook.notify([problem]);
  await clock.settle();
  expect(ids).toEqual([`msg_role_missing.worker_${problem.openedAt}_opened`]);

  const recorded = { ...problem, notifiedOpenedAt: problem.openedAt };
  webhook.notify([recorded]);
  const over = { ...recorded, seenAt: null, openedAt: null };
  webhook.notify([over]);
  await clock.settle();
  expect(ids.slice(1)).toEqual([`msg_role_missing.worker_${problem.openedAt}_ended`]);
  expect(told).toEqual([problem.openedAt, null]);
});

test('what another process told meanwhile is not told again', async () => {
  const { clock, ids, webhook } = openWebhook();
  const first = problemRow(NOW);
  webhook.notify([first]);
  await clock.settle();
  webhook.pause();
  const second = problemRow(NOW, { openedAt: NOW + 600_000, notifiedOpenedAt: NOW + 600_000 });
  webhook.notify([second]);
  await clock.settle();
  expect(ids).toHaveLength(1);
});

test('the end of a problem says what ended, of which nothing else is kept', () => {
  const over = problemRow(NOW, {
    kind: 'region_without_probe',
    subject: 'nbg',
    seenAt: null,
    openedAt: null,
    notifiedOpenedAt: NOW,
  });
  expect(webhookCall(over, 'https://up.example.com', NOW + 90_000)).toEqual({
    id: `msg_region_without_probe.nbg_${NOW}_ended`,
    body: {
      type: 'installation.problem_ended',
      timestamp: '2030-01-01T00:01:30.000Z',
      installation: 'https://up.example.com',
      severity: 'info',
      text: 'The region nbg is no longer without a probe.',
      problem: {
        kind: 'region_without_probe',
        subject: 'nbg',
        since: '2030-01-01T00:00:00.000Z',
        value: null,
        processes: [],
      },
    },
  });
});
