import { describe, expect, test } from 'vitest';
import {
  incidentFacts,
  PAGE_NOW as NOW,
  pageFacts,
  serviceFacts,
} from '../../../test/support/page-facts.ts';
import type { PageFacts, ServiceFacts } from '../facts/model.ts';
import { asOf, conditionOf, stateOf } from './sentence.ts';
import { wordsOf } from './words/index.ts';

const MINUTE = 60_000;
const EN = wordsOf('en');

const up = (name: string) => serviceFacts(name);
const down = (name: string) => serviceFacts(name, { status: 'offline' });
const degraded = (name: string) => serviceFacts(name, { status: 'degraded' });
const inMaintenance = (name: string) =>
  serviceFacts(name, { status: 'offline', maintenanceUntil: NOW + 44 * MINUTE });
const paused = (name: string) => serviceFacts(name, { isPaused: true });
const pending = (name: string) =>
  serviceFacts(name, { status: 'pending', statusSince: null, observedUntil: null });
const unseen = (name: string, status: 'online' | 'offline' | 'degraded' = 'online') =>
  serviceFacts(name, { status, observedUntil: NOW - 12 * MINUTE });
const reported = (title: string | null, impact: 'none' | 'minor' | 'major' | 'critical') =>
  pageFacts([up('A')], { announcements: [incidentFacts({ title, impact })] });

const backAgain = () => {
  const service = up('A');
  const { monitorId, name } = service;
  const services = [{ monitorId, name }];
  const announcements = [incidentFacts({ state: 'monitoring', services })];
  return pageFacts([service], { announcements });
};

const LONG = 'A service with quite a long name';

describe('the first sentence', () => {
  test.each<[string, readonly ServiceFacts[] | PageFacts, string, string, string | null]>([
    ['all up', [up('A'), up('B')], 'up', 'All services are up.', null],
    ['one down', [down('A'), up('B')], 'down', 'A is down.', 'Everything else works.'],
    [
      'one down, and an incident elsewhere',
      pageFacts([down('A'), up('B')], {
        announcements: [incidentFacts({ title: 'Payments are slow', impact: 'minor' })],
      }),
      'down',
      'A is down.',
      null,
    ],
    ['the only one down', [down('A')], 'down', 'A is down.', null],
    [
      'down and degraded',
      [degraded('Search'), down('Checkout'), up('B')],
      'down',
      'Checkout is down, Search is degraded.',
      'Everything else works.',
    ],
    ['two down', [down('A'), down('B')], 'down', 'A and B are down.', null],
    ['three down', [down('A'), down('B'), down('C')], 'down', 'A, B and C are down.', null],
    [
      'four',
      [down('A'), down('B'), down('C'), degraded('D')],
      'down',
      '3 services are down, 1 service is degraded.',
      null,
    ],
    [
      'long names are counted',
      [down(`${LONG} 1`), down(`${LONG} 2`), down(`${LONG} 3`)],
      'down',
      '3 services are down.',
      null,
    ],
    ['one long name is not', [down(LONG.repeat(4))], 'down', `${LONG.repeat(4)} is down.`, null],
    ['only degraded', [degraded('A')], 'degraded', 'A is degraded.', null],
    [
      'down, others not observed',
      [down('A'), unseen('B'), up('C')],
      'down',
      'A is down.',
      'B is not being observed.',
    ],
    [
      'down, others in maintenance',
      [down('A'), inMaintenance('B')],
      'down',
      'A is down.',
      'B is under maintenance.',
    ],
    ['down, others paused', [down('A'), paused('B')], 'down', 'A is down.', null],
    [
      'maintenance hides downtime',
      [inMaintenance('A'), up('B')],
      'maintenance',
      'A is under maintenance.',
      'Planned until 22 Nov 2026, 15:00 UTC. Everything else works.',
    ],
    [
      'nothing observed',
      [unseen('A'), unseen('B')],
      'unknown',
      'We can’t tell: nothing was observed for 12 min.',
      'Last known: all services up.',
    ],
    [
      'nothing observed, something was down',
      [unseen('A'), unseen('B', 'offline'), paused('C')],
      'unknown',
      'We can’t tell: nothing was observed for 12 min.',
      'Last known: B is down.',
    ],
    [
      'one not observed',
      [unseen('A'), up('B')],
      'unknown',
      'A is not being observed.',
      'Everything else works.',
    ],
    [
      'paused ones are not checked',
      [up('A'), paused('B')],
      'up',
      'All services that we check are up.',
      null,
    ],
    ['first checks', [pending('A'), paused('B')], 'unknown', 'Waiting for the first checks.', null],
    ['all paused', [paused('A')], 'paused', 'Checks are paused.', null],
    ['no services', [], 'unknown', 'No incidents are reported.', null],
    [
      'people report what checks do not see',
      reported('Payments fail', 'critical'),
      'down',
      'Payments fail',
      'Our checks find all services up.',
    ],
    [
      'a minor incident',
      reported('Mails are late', 'minor'),
      'degraded',
      'Mails are late',
      'Our checks find all services up.',
    ],
    [
      'an incident that a person keeps open while its service is up again',
      backAgain(),
      'degraded',
      'A went down',
      'Our checks find all services up.',
    ],
    ['a notice', reported('New terms', 'none'), 'up', 'All services are up.', null],
  ])('%s [42.30, 42.31]', (_name, given, tone, sentence, remark) => {
    const facts = 'page' in given ? given : pageFacts(given);
    expect(stateOf(facts, EN, NOW)).toEqual({ tone, sentence, remark });
  });

  test('is in the language of the page [42.35]', () => {
    const facts = pageFacts([down('Checkout'), degraded('Search'), up('C')]);
    const sentences = (['de', 'fr', 'es', 'pt', 'it', 'nl', 'ja', 'zh-CN'] as const).map(
      (language) => stateOf(facts, wordsOf(language), NOW).sentence,
    );
    expect(sentences).toEqual([
      'Checkout ist ausgefallen, Search ist beeinträchtigt.',
      'Checkout est en panne, Search fonctionne mal.',
      'Checkout no funciona, Search funciona con problemas.',
      'Checkout está fora do ar, Search está com problemas.',
      'Checkout non funziona, Search funziona con problemi.',
      'Checkout is onbereikbaar, Search heeft problemen.',
      'Checkoutが停止しています。Searchに問題が発生しています。',
      'Checkout无法访问，Search出现异常。',
    ]);
  });
});

const conditionAt = (changes: Partial<ServiceFacts>, age = 0) =>
  conditionOf(serviceFacts('A', changes), NOW - age, NOW);

describe('the condition of a service', () => {
  test.each<[string, Partial<ServiceFacts>, number, object]>([
    ['current', { observedUntil: NOW + 1 }, 0, { type: 'up' }],
    ['a verdict that is late', { observedUntil: NOW - 54_000 }, 0, { type: 'up' }],
    [
      'no verdict for long',
      { observedUntil: NOW - 54_001 },
      0,
      { type: 'unobserved', since: NOW - 54_001, last: 'up' },
    ],
    [
      'old facts tell nothing of the present, however long the verdict holds',
      { observedUntil: NOW + 5 * MINUTE, status: 'degraded' },
      3 * MINUTE,
      { type: 'unobserved', since: NOW - 3 * MINUTE, last: 'degraded' },
    ],
    ['facts of two minutes ago', {}, 2 * MINUTE, { type: 'up' }],
    [
      'maintenance that is over',
      { maintenanceUntil: NOW - 1, status: 'offline', statusSince: 5 },
      0,
      { type: 'down', since: 5, unobservedMs: 0 },
    ],
    ['paused', { isPaused: true, status: 'offline' }, 0, { type: 'paused' }],
  ])('%s [42.31]', (_name, changes, age, expected) => {
    expect(conditionAt(changes, age)).toEqual(expected);
  });
});

const checked = (checkedAt: number | null, isPaused = false) =>
  serviceFacts('A', { checkedAt, isPaused });

test('the sentence shows the time of the newest check, or of old facts, with their age [42.31, 42.60]', () => {
  const asOfServices = (...services: ServiceFacts[]) =>
    asOf(pageFacts(services, { page: { timezone: 'Europe/Berlin' } }), EN, NOW);
  const at = NOW - 3 * MINUTE;
  expect(asOfServices(checked(at), checked(at - 1), checked(NOW, true), checked(null))).toEqual({
    text: 'Checked 22 Nov 2026, 15:13 CET',
    at,
    ago: 'Checked $',
  });
  const notChecked = { text: 'As of 22 Nov 2026, 15:16 CET', at: null, ago: '' };
  expect(asOfServices(checked(null))).toEqual(notChecked);
  expect(asOfServices()).toEqual(notChecked);
  const old = pageFacts([checked(at)], { page: { timezone: 'Europe/Berlin' } });
  expect(asOf({ ...old, readAt: NOW - 26 * 60 * MINUTE }, EN, NOW).text).toBe(
    'As of 21 Nov 2026, 13:16 CET, 1 day 2 h ago',
  );
});
