import { expect, test } from 'vitest';
import { roundOf, settingsOf, stateOf } from '../../../test/support/rounds.ts';
import { activityOf } from '../record/event.ts';
import type { IncidentOpening } from '../../model/incident.ts';
import { evaluateRound } from './evaluate.ts';

const REFUSED = 'Connection refused by 10.0.0.1 port 80';

/** The incident that a round opens whose regions are probed from these machines. */
function openedBy(votes: string, vantages: (string | undefined)[]) {
  const round = roundOf(votes, { settings: settingsOf({ failureThreshold: 1 }) });
  for (const [index, vantage] of vantages.entries())
    if (vantage !== undefined) round.results[index]!.vantage = vantage;
  const [opened] = evaluateRound(stateOf({ status: 'online' }), round).incidents;
  return opened as IncidentOpening;
}

const OFFICE = Array(4).fill('office');

test.each([
  ['dddd', OFFICE, REFUSED, `${REFUSED}. Seen from office.`],
  ['dddd', [], REFUSED, `${REFUSED}.`],
  ['dddd', ['office', 'office', 'office', 'cellar'], REFUSED, `${REFUSED}.`],
  ['ddd?', ['office', 'office', 'office', 'cellar'], REFUSED, `${REFUSED}. Seen from office.`],
  [
    'duud',
    OFFICE,
    `${REFUSED} (in 2 of 4 checks from office)`,
    `${REFUSED} (in 2 of 4 checks from office).`,
  ],
  [
    'duu?',
    ['office', 'office', 'office', 'cellar'],
    `${REFUSED} (in 1 of 3 checks from office)`,
    `${REFUSED} (in 1 of 3 checks from office).`,
  ],
  [
    'duud',
    ['office', 'cellar', 'cellar', 'office'],
    `${REFUSED} (from ash, sin only)`,
    `${REFUSED} (from ash, sin only).`,
  ],
])('a round of votes %s from %j opens: %s [14.17]', (votes, vantages, rootCause, activity) => {
  const opened = openedBy(votes, vantages);
  expect(opened.rootCause).toBe(rootCause);
  expect(activityOf(opened).description).toBe(activity);
});

test('evidence names the machine of each region that voted', () => {
  const { evidence } = openedBy('ddd?', ['office', 'office', 'cellar', 'cellar']);
  expect(evidence.map(({ vantage }) => vantage)).toEqual(['office', 'office', 'cellar', undefined]);
});
