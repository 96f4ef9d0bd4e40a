import { expect, test } from 'vitest';
import {
  addSection,
  arrangementOf,
  choose,
  place,
  removeSection,
  sectionsOf,
  step,
  stepSection,
  type Section,
} from './arrangement.ts';

/** Writes sections as "1 2 | A: 3 | B:". */
function written(sections: readonly Section[]): string {
  return sections
    .map(({ name, services }) =>
      [...(name === null ? [] : [`${name}:`]), ...services.map(({ monitorId }) => monitorId)].join(
        ' ',
      ),
    )
    .join(' | ');
}

const service = (monitor_id: number) => ({
  monitor_id,
  label: null,
  display: 'bar' as const,
  show_automatic: null,
  monitor_url: '',
  monitor_status: 'online' as const,
});

function page(): Section[] {
  return sectionsOf({
    services: [1, 2, 3, 4].map(service),
    groups: [
      { name: 'A', monitors: [4, 3] },
      { name: 'B', monitors: [] },
    ],
  });
}

test('services without a heading come first, the others in the order of their heading', () => {
  expect(written(page())).toBe('1 2 | A: 4 3 | B:');
});

test.each([
  ['down inside of its section', 1, 1, '2 1 | A: 4 3 | B:'],
  ['up inside of its section', 3, -1, '1 2 | A: 3 4 | B:'],
  ['down into the next section', 2, 1, '1 | A: 2 4 3 | B:'],
  ['up into the former section', 4, -1, '1 2 4 | A: 3 | B:'],
  ['down into an empty section', 3, 1, '1 2 | A: 4 | B: 3'],
  ['not above the first place', 1, -1, '1 2 | A: 4 3 | B:'],
  ['not when it is unknown', 9, 1, '1 2 | A: 4 3 | B:'],
] as const)('a service moves %s', (_what, id, by, after) => {
  expect(written(step(page(), id, by))).toBe(after);
});

test('a service is put before another one of any section', () => {
  expect(written(place(page(), 1, 1, 1))).toBe('2 | A: 4 1 3 | B:');
});

test('chosen monitors stay where they are, new ones come last in the first section', () => {
  expect(written(choose(page(), [7, 3, 1]))).toBe('1 7 | A: 3 | B:');
});

test('sections move, but not above the services without a heading', () => {
  expect(written(stepSection(page(), 2, -1))).toBe('1 2 | B: | A: 4 3');
  expect(written(stepSection(page(), 1, -1))).toBe('1 2 | A: 4 3 | B:');
  expect(written(stepSection(page(), 2, 1))).toBe('1 2 | A: 4 3 | B:');
});

test('services of a removed heading stay on the page', () => {
  expect(written(removeSection(page(), 1))).toBe('1 2 4 3 | B:');
});

test('headings without services are not sent, and empty labels are none', () => {
  const { monitors, groups } = arrangementOf(addSection(page(), 'C'));
  expect(monitors.map(({ id, label }) => [id, label])).toEqual(
    [1, 2, 4, 3].map((id) => [id, null]),
  );
  expect(groups).toEqual([{ name: 'A', monitors: [4, 3] }]);
});
