import { expect, test } from 'vitest';
import { createRegions, isInsideOnly, perTeam } from './regions.ts';

const NBG = { code: 'nbg', title: 'Nuremberg' };
const REGIONS = createRegions(
  [NBG],
  [
    { code: 'office', title: 'Office', teamId: 7 },
    { code: 'lab', title: 'Lab', teamId: 7 },
    { code: 'store', title: 'Store', teamId: 8 },
  ],
);
const codesOf = (teamId: number) => REGIONS.of(teamId).map(({ code }) => code);

test('a team has the shared regions and its own, in their order', () => {
  expect(codesOf(7)).toEqual(['nbg', 'office', 'lab']);
  expect(codesOf(8)).toEqual(['nbg', 'store']);
  expect(codesOf(9)).toEqual(['nbg']);
  expect(REGIONS.of(8)).toEqual([
    { ...NBG, isPrivate: false },
    { code: 'store', title: 'Store', isPrivate: true },
  ]);
});

test.each([
  // team, region, shared, own, foreign
  [7, 'nbg', true, false, false],
  [7, 'office', false, true, false],
  [7, 'store', false, false, true],
  [9, 'office', false, false, true],
  [7, 'moon', false, false, false],
] as const)(
  'to team %i, %s is shared %s, own %s, foreign %s',
  (team, code, shared, own, foreign) => {
    expect(REGIONS.isShared(code)).toBe(shared);
    expect(REGIONS.isPrivateOf(team, code)).toBe(own);
    expect(REGIONS.isForeign(team, code)).toBe(foreign);
  },
);

test.each([
  [['office'], true],
  [['office', 'lab'], true],
  [['office', 'nbg'], false],
  [['office', 'moon'], false],
  [['store'], false],
  [[], false],
])('team 7 is checked from %j in its own networks alone: %s', (codes, is) => {
  expect(isInsideOnly(REGIONS, 7, codes)).toBe(is);
});

test('what depends on the regions is built once for each team that has its own, and once for all others', () => {
  const built: string[] = [];
  const of = perTeam(REGIONS, (codes) => {
    built.push(codes.join());
    return codes.join();
  });
  expect([of(7), of(8), of(9), of(10)]).toEqual(['nbg,office,lab', 'nbg,store', 'nbg', 'nbg']);
  expect(built).toEqual(['nbg', 'nbg,office,lab', 'nbg,store']);
});
