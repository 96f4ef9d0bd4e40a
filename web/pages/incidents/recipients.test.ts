import { expect, test } from 'vitest';
import type { IncidentNotification } from '../../app/api.gen.ts';
import { recipientsOf } from './rules.ts';

let id = 0;

function message(change: Partial<IncidentNotification>): IncidentNotification {
  return {
    id: (id += 1),
    kind: 'alarm',
    channel: { id: 1, type: 'slack', name: '#ops' },
    user: null,
    status: 'delivered',
    attempts_count: 1,
    last_status_code: 200,
    last_error: null,
    created_at: '2030-01-01T00:00:00.000Z',
    finished_at: '2030-01-01T00:00:01.000Z',
    next_attempt_at: null,
    ...change,
  };
}

const mail = (name: string | null, user: IncidentNotification['user']) => ({
  channel: { id: null, type: 'email', name },
  user,
});

test('each channel is listed once, the first that was notified first, its messages in order', () => {
  const found = recipientsOf([
    message({ kind: 'recovery' }),
    message(mail(null, { id: 2, name: 'Bo' })),
    message({ kind: 'alarm' }),
  ]);
  expect(found.map(({ person, messages }) => [person, messages.map(({ kind }) => kind)])).toEqual([
    [null, ['alarm', 'recovery']],
    ['Bo', ['alarm']],
  ]);
});

test('channels without an id are distinguished by their person', () => {
  const found = recipientsOf([
    message(mail(null, { id: 1, name: 'Ada' })),
    message(mail(null, { id: 2, name: 'Bo' })),
    message(mail(null, null)),
  ]);
  expect(found.map(({ person }) => person)).toEqual([null, 'Bo', 'Ada']);
});

test('nobody is listed without messages', () => {
  expect(recipientsOf([])).toEqual([]);
});
