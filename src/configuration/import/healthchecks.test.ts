import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { healthchecks } from './healthchecks.ts';

const read = (text: string) => healthchecks.read({ file: 'checks.json', text, now: 0 });

test('checks become jobs that report where they did', () => {
  const text = readFileSync(new URL('fixtures/healthchecks.json', import.meta.url), 'utf8');
  const { document, report } = read(text);
  expect(document.monitors).toEqual([
    {
      key: 'filesystem-backup',
      monitor_type: 'heartbeat',
      friendly_name: 'Filesystem backup',
      tags: ['backup', 'fs'],
      heartbeat_interval: 3_600,
      heartbeat_grace: 600,
      ping_aliases: ['/ping/31365bce-8da9-4729-8ff3-aaa71d56b712'],
    },
    {
      key: 'database-backup',
      monitor_type: 'cron',
      friendly_name: 'Database backup',
      tags: ['production', 'db'],
      heartbeat_cron_expression: '15 5 * * *',
      heartbeat_timezone: 'Europe/Riga',
      heartbeat_grace: 1_200,
      ping_aliases: ['/ping/803f680d-e89b-492b-82ef-2be7b774a92d'],
    },
    {
      key: 'check',
      monitor_type: 'heartbeat',
      friendly_name: 'Check',
      heartbeat_interval: 2_592_000,
      heartbeat_grace: 86_400,
      is_paused: true,
    },
    {
      key: 'by-a-key',
      monitor_type: 'heartbeat',
      friendly_name: 'By a key',
      heartbeat_interval: 60,
      heartbeat_grace: 60,
      heartbeat_wait_for_first_ping: true,
      ping_aliases: ['/ping/fqOOd6-F4MMNuCEnzTU01w/by-a-key'],
    },
  ]);
  expect(report.map(({ outcome }) => outcome)).toEqual([
    'changed',
    'imported',
    'changed',
    'imported',
    'left_out',
    'left_out',
  ]);
});

const CHECK = {
  name: 'A',
  grace: 60,
  timeout: 60,
  ping_url: 'https://hc-ping.com/803f680d-e89b-492b-82ef-2be7b774a92d',
};

test.each([
  [{ checks: [CHECK] }, 1],
  [[CHECK, { ...CHECK, name: 'B' }], 2],
  [[{ checks: [CHECK] }, { checks: [CHECK] }], 2],
  [CHECK, 1],
])('%j is read', (content, count) => {
  expect(read(JSON.stringify(content)).document.monitors?.length).toBe(count);
});

test('a list without checks is refused', () => {
  expect(() => read('{"checks":[]}')).toThrow('The file lists nothing');
});

test('what is lost of a check is in its notes', () => {
  const { report } = read(JSON.stringify({ ...CHECK, ping_url: undefined, desc: 'Nightly' }));
  expect(report).toMatchObject([
    {
      outcome: 'changed',
      notes: ['Its job must call the new ping URL instead.', 'Its description is left out.'],
    },
  ]);
});

test('answers may stand one after another, and an announced run ends within its grace time', () => {
  const answer = JSON.stringify({ checks: [{ ...CHECK, last_duration: 4 }] });
  const { document } = read(answer + answer);
  expect(document.monitors).toMatchObject([
    { heartbeat_max_runtime: 60 },
    { heartbeat_max_runtime: 60 },
  ]);
});

test('of two checks with one address, one has it', () => {
  const { document, report } = read(JSON.stringify([CHECK, CHECK]));
  expect(document.monitors?.map(({ ping_aliases: aliases }) => aliases !== undefined)).toEqual([
    true,
    false,
  ]);
  expect(report[1]).toMatchObject({ outcome: 'changed' });
});

test.each(['{"error": "missing api key"}', '{"checks": 1}', '[1]'])('%s is refused', (text) => {
  expect(() => read(text)).toThrow(/^checks\.json has no list of checks\. Give the answer/);
});
