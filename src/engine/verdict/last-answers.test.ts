import { expect, test } from 'vitest';
import { LastAnswers } from './recent-results.ts';

const HOUR = 3_600_000;
const UPLINK = [1, 0, 0, 0];
const answer = (host: number, at: number, regions: readonly number[] = UPLINK) => ({
  host,
  network: host,
  regions,
  at,
});

test('answers are found by fault, region and time', () => {
  const sightings = new LastAnswers();
  sightings.set(1, answer(7, 1_000, [0b01, 0, 0, 0]));
  sightings.set(2, answer(8, 2_000, [0b10, 0, 0b10, 0]));
  const hosts = (...asked: Parameters<LastAnswers['answering']>) =>
    sightings.answering(...asked).map(({ host }) => host);
  expect(hosts('uplink', -1, 0)).toEqual([7, 8]);
  expect(hosts('uplink', 0b10, 0)).toEqual([8]);
  expect(hosts('uplink', -1, 1_001)).toEqual([8]);
  expect(hosts('names', -1, 0)).toEqual([8]);
  expect(hosts('ipv6', -1, 0)).toEqual([]);
});

test('an answer that proves the names alone leaves what is known of the uplink', () => {
  const sightings = new LastAnswers();
  sightings.set(1, answer(7, 1_000));
  sightings.set(1, answer(7, 2_000, [0, 0, 1, 0]));
  expect(sightings.answering('uplink', -1, 0)).toMatchObject([{ at: 1_000 }]);
  expect(sightings.answering('names', -1, 0)).toMatchObject([{ at: 2_000 }]);
  expect(sightings.last(1)!.disproves('uplink')).toBe(true);
  expect(sightings.last(1)!.disproves('ipv6')).toBe(false);
  expect(sightings.last(2)).toBeNull();
});

test('the last of 32 regions is one like the others', () => {
  const sightings = new LastAnswers();
  sightings.set(1, answer(7, 1, [1 << 31, 0, 0, 0]));
  const found = [0, 30, 31].map((bit) => sightings.answering('uplink', 1 << bit, 0).length);
  expect(found).toEqual([0, 0, 1]);
});

test('room grows with the monitors, and old answers are evicted', () => {
  const sightings = new LastAnswers();
  for (let id = 0; id < 5_000; id += 1) sightings.set(id, answer(id, id));
  expect(sightings.answering('uplink', -1, 0)).toHaveLength(5_000);
  for (let id = 10_000; id < 20_000; id += 1) sightings.set(id, answer(id, 3 * HOUR));
  // The first ones were evicted when the room was used up.
  expect(sightings.size).toBe(10_000);
  expect(sightings.answering('uplink', -1, 0)).toHaveLength(10_000);
});
