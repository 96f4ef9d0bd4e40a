import { expect, test } from 'vitest';
import { de } from '../../words/de.ts';
import { en } from '../../words/en.ts';
import { actorOf, deedOf, pathOf } from './audit-entry.ts';

test.each([
  ['English', en],
  ['German', de],
])('each action of the audit log is a part of a sentence in %s', (_language, { auditLog }) => {
  const sentences = Object.values(auditLog.actions).map((phrase) => phrase.replace('#', '…'));
  for (const sentence of sentences) expect(sentence).toMatch(/^[^A-Z\s.][^.]+$/);
});

test.each([
  ['English', 'paused the monitor ', 'Shop', ''],
  ['German', 'hat den Monitor ', 'Shop', ' pausiert'],
])('a sentence in %s is split at the name', (language, before, name, after) => {
  const { auditLog } = language === 'German' ? de : en;
  expect(deedOf(auditLog.actions['monitor.paused'], name)).toEqual({ before, name, after });
});

test('a sentence without a name has no gap', () => {
  const { actions } = de.auditLog;
  const whole = { name: null, after: '' };
  expect(deedOf(actions['monitor.paused'], null)).toEqual({
    before: 'hat den Monitor pausiert',
    ...whole,
  });
  expect(deedOf(actions['session.created'], 'password')).toEqual({
    before: 'hat sich angemeldet',
    ...whole,
  });
});

test.each([
  ['Ada Reyes <ada@example.com>', 'Ada Reyes', 'ada@example.com'],
  ['A <b> C <ada@example.com>', 'A <b> C', 'ada@example.com'],
  ['operator', 'operator', null],
])('the actor %j is %j with the address %j', (written, name, email) => {
  expect(actorOf(written)).toEqual({ name, email });
});

test.each([
  ['monitor.paused', 'monitor', 7, '/monitors/7'],
  ['monitor.deleted', 'monitor', 7, null],
  ['slo.deleted', 'slo', 7, '/monitors/7'],
  ['webhook_endpoint.tested', 'webhook_endpoint', 3, '/webhooks/3'],
  ['group.created', 'group', 3, null],
  ['monitor.updated', 'monitor', null, null],
] as const)('%s of %s %j leads to %j', (action, type, id, path) => {
  expect(pathOf({ action, target: { type, id, name: 'Shop' } })).toBe(path);
});
