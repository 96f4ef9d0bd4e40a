import { expect, test } from 'vitest';
import { Sightings } from './sightings.ts';

const HOUR = 3_600_000;

test('the newest look at a host counts, by region and in all', () => {
  const sightings = new Sightings();
  sightings.set(1, 7, 0b0101, true, 1_000);
  sightings.set(2, 7, 0b0001, true, 2_000);
  sightings.set(3, 8, 0b0100, false, 3_000);
  expect([...sightings.soundSince(0, 0)]).toEqual([[7, 2_000]]);
  expect([...sightings.soundSince(2, 0)]).toEqual([
    [7, 1_000],
    [8, 3_000],
  ]);
  expect(sightings.soundSince(0, 2_001).size).toBe(0);
  expect([...sightings.reachedSince(0)]).toEqual([[7, 2_000]]);
  sightings.set(1, 9, 0b1000, true, 4_000);
  expect([...sightings.reachedSince(3_000)]).toEqual([[9, 4_000]]);
});

test('the last of 32 regions is one like the others', () => {
  const sightings = new Sightings();
  sightings.set(1, 7, 1 << 31, true, 1);
  expect([0, 30, 31].map((region) => sightings.soundSince(region, 0).size)).toEqual([0, 0, 1]);
});

test('room grows with the monitors that are looked at, and those that are gone make room', () => {
  const sightings = new Sightings();
  for (let id = 0; id < 5_000; id += 1) sightings.set(id, id, 1, true, id);
  expect(sightings.size).toBe(5_000);
  expect(sightings.soundSince(0, 0).size).toBe(5_000);
  for (let id = 10_000; id < 20_000; id += 1) sightings.set(id, id, 1, true, HOUR);
  // The first ones were dropped when the room was used up.
  expect(sightings.size).toBe(10_000);
  expect(sightings.soundSince(0, 0).size).toBe(10_000);
});
