import { expect, test } from 'vitest';
import { readOptions, USAGE } from './options.ts';

test('options have defaults', () => {
  const options = readOptions([]);
  expect(options).toMatchObject({ kills: 20, fleet: 'whole', monitors: 40, slackMs: 3_000 });
  expect(options.faults).toContain('suspend');
  expect(options.intervalsMs).toEqual([30_000, 60_000, 30_000, 30_000]);
  expect(readOptions([]).seed).not.toBe(options.seed);
});

test('options are read', () => {
  const words = ['--kills=1000', '--seed=7', '--fleet=seven', '--faults=kill,cut', '--skew=-60'];
  expect(readOptions([...words, '--pause=20', '--intervals=45', '--folder=runs/1'])).toMatchObject({
    kills: 1_000,
    seed: 7,
    fleet: 'seven',
    faults: ['kill', 'cut'],
    skewMs: -60_000,
    pauseMs: [20_000, 26_000],
    intervalsMs: [45_000],
    folder: 'runs/1',
  });
});

test('an upgrade has no faults unless they are asked for', () => {
  expect(readOptions([])).toMatchObject({ upgradeFrom: null, andBack: false, kills: 20 });
  const from = '--upgrade-from=main~20';
  expect(readOptions([from])).toMatchObject({ upgradeFrom: 'main~20', andBack: false, kills: 0 });
  const more = readOptions([from, '--and-back', '--kills=3']);
  expect(more).toMatchObject({ upgradeFrom: 'main~20', andBack: true, kills: 3 });
});

test.each([
  ['--and-back', '--and-back needs --upgrade-from=REV.'],
  ['--and-back=yes', 'There is no option --and-back=yes.'],
  ['--kill=3', 'There is no option --kill=3.'],
  ['--kills=many', '--kills needs a number.'],
  ['--fleet=none', 'No fleet named none; there are whole, pair, seven, roles, far.'],
  ['--faults=kill,fire', 'No fault named "fire"; there are kill,'],
  ['--faults=nats', 'The fleet whole uses no NATS.'],
  ['--faults=unplug', 'The processes of the fleet whole have no networks of their own.'],
  ['--replication=none', '--replication is synchronous or asynchronous.'],
  ['--intervals=10', '--intervals needs whole seconds, 30 or more.'],
])('%s is refused', (word, expected) => {
  expect(() => readOptions([word])).toThrow(expected);
});

test('the usage names each option', () => {
  expect(USAGE).toContain('--kills=N');
  expect(USAGE).toContain('--skew=SECONDS');
});
