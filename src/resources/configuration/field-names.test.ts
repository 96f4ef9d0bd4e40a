import { expect, test } from 'vitest';
import { COLLECTIONS } from '../nouns.ts';
import { unknownFields } from './field-names.ts';

const predicates = (section: string, fields: object) =>
  Object.values(unknownFields({ name: 'shop', [section]: [{ key: 'a', ...fields }] }, COLLECTIONS))
    .flat()
    .map((text) => text.slice(`${section}.0.`.length));

test.each<[section: string, fields: object, expected: string | null]>([
  ['monitors', { url: 'a', check_interval: 1, slo: null, is_paused: true }, null],
  [
    'monitors',
    { chek_interval: 1 },
    'chek_interval is no field of this monitor (did you mean check_interval?).',
  ],
  ['monitors', { ulr: 'a' }, 'ulr is no field of this monitor (did you mean url?).'],
  [
    'monitors',
    { interval: 1 },
    'interval is no field of this monitor (did you mean check_interval?).',
  ],
  [
    'monitors',
    { monitor_type: 'heartbeat', interval: 1 },
    'interval is no field of this monitor (did you mean heartbeat_interval?).',
  ],
  [
    'monitors',
    { 'status-codes': [] },
    'status-codes is no field of this monitor (did you mean accepted_status_codes?).',
  ],
  [
    'monitors',
    { notes: '' },
    'notes is no field of this monitor: its fields are in the API reference.',
  ],
  ['monitors', { monitor_type: 'cron', check_interval: null }, null],
  ['monitors', { monitor_type: 'prot', port: 1, heartbeat_grace: 1 }, null],
  [
    'monitors',
    { monitor_type: 'cron', check_interval: 1 },
    'check_interval is not for monitors of type cron: remove it, or take away what a preset or a default says by "check_interval: null" in the item.',
  ],
  [
    'groups',
    { color: 'red' },
    'color is no field of this group: its fields are name, description, parent_id, sort_order.',
  ],
])('%s %j: %s [61.5]', (section, fields, expected) => {
  expect(predicates(section, fields)).toEqual(expected === null ? [] : [expected]);
});

test('of very many unknown fields the first are named', () => {
  const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, 1]));
  expect(predicates('monitors', fields)).toHaveLength(100);
});
