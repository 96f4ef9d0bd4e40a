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

test.each([
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
