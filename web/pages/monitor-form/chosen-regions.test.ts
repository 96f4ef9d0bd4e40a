import { expect, it } from 'vitest';
import { chosenRegions, toggledRegions } from './parts.ts';

const OFFERED = [{ code: 'ash' }, { code: 'nbg' }, { code: 'office', is_private: true as const }];

it('ticks all shared regions where none is named, and no private one', () => {
  expect(chosenRegions([], OFFERED)).toEqual(['ash', 'nbg']);
  expect(chosenRegions(['office'], OFFERED)).toEqual(['office']);
});

it.each([
  { draft: [], code: 'office', isOn: true, after: ['ash', 'nbg', 'office'] },
  { draft: ['ash', 'nbg', 'office'], code: 'office', isOn: false, after: [] },
  { draft: ['ash', 'nbg', 'office'], code: 'ash', isOn: false, after: ['nbg', 'office'] },
  { draft: ['nbg', 'office'], code: 'nbg', isOn: false, after: ['office'] },
  { draft: ['ash'], code: 'nbg', isOn: true, after: [] },
  { draft: [], code: 'ash', isOn: false, after: ['nbg'] },
  { draft: ['office'], code: 'office', isOn: false, after: null },
])('$draft with $code $isOn is $after', ({ draft, code, isOn, after }) => {
  expect(toggledRegions(draft, OFFERED, { code, isOn })).toEqual(after);
});
