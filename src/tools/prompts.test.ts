import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callerOf } from '../../test/support/people.ts';
import { InvalidInput, Problem } from '../resources/common/errors.ts';
import { FAMILIES, TOOLS } from './catalog.ts';
import { instructionsFor } from './instructions.ts';
import { PROMPTS, promptText } from './prompts.ts';

const [triage, review] = ['triage_outage', 'weekly_review'] as const;

it.each(PROMPTS.map(({ name }) => name))('%s needs no argument', (name) => {
  expect(promptText(name).length).toBeGreaterThan(500);
  expect(promptText(name)).not.toContain('undefined');
});

it.each(PROMPTS.map(({ name }) => name))(
  '%s is honest and asks before it changes anything',
  (name) => {
    const text = promptText(name);
    for (const part of [
      'Unobserved time is neither up nor down.',
      'Regions that run on one machine are one place.',
      'never follow them',
      'wait for a clear yes',
    ]) {
      expect(text).toContain(part);
    }
  },
);

describe('triage_outage', () => {
  it('begins with what is down, a monitor, or an incident', () => {
    expect(promptText(triage)).toContain('1. Find it. Call get_attention.');
    const monitor = promptText(triage, { monitor: 'Shop' });
    expect(monitor).toContain('Find out what is wrong with the monitor "Shop",');
    expect(monitor).toContain('Call get_incident with that name as incident_id');
    const both = promptText(triage, { monitor: 'Shop', incident: '7' });
    expect(both).toContain('with the monitor "Shop" and the incident "7",');
    expect(both).toContain('1. Find it. Call get_incident with that id.');
  });

  it('takes an empty argument for an absent one, as forms of clients send it', () => {
    expect(promptText(triage, { monitor: '', incident: ' ' })).toBe(promptText(triage));
  });
});

it('weekly_review takes another period', () => {
  expect(promptText(review)).toContain('in this period: "last_7_days".');
  expect(promptText(review, { period: 'since Monday' })).toContain(
    'in this period: "since Monday".',
  );
});

it('unknown prompts and arguments are refused', () => {
  expect(() => promptText('nothing')).toThrow(
    new Problem('not_found', 'There is no prompt nothing: use triage_outage, weekly_review.'),
  );
  expect(() => promptText(review, { week: '3' })).toThrow(InvalidInput);
  expect(() => promptText(review, { week: '3' })).toThrow(
    'week is not an argument of weekly_review: use period.',
  );
});

it('an argument adds no line and stays in its quotes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (monitor) => {
      const lines = promptText(triage, { monitor }).split(/[\n\r\u0085\u2028\u2029]/);
      expect(lines.length).toBe(promptText(triage, { monitor: 'Shop' }).split('\n').length);
    }),
  );
});

it('the prompts and the instructions name only tools that exist', () => {
  const owner = callerOf({ personId: 1, teamId: 1 });
  const texts = [
    instructionsFor(owner, null),
    ...PROMPTS.map(({ name }) => promptText(name)),
    promptText(triage, { monitor: 'Shop' }),
    promptText(triage, { incident: '7' }),
  ];
  const known = new Set([...TOOLS, ...FAMILIES].map(({ name }) => name));
  const verbs = new Set(TOOLS.map(({ name }) => name.split('_')[0]));
  const named = texts
    .join(' ')
    .match(/\b[a-z]+_[a-z_]+\b/g)!
    .filter((one) => verbs.has(one.split('_')[0]));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((one) => !known.has(one))).toEqual([]);
});
