import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coverageOf, isInScope } from './window.ts';

const few = fc.integer({ min: 1, max: 6 });
const tag = fc.constantFrom('a', 'b', 'A');
const scope = fc.record({
  monitors: fc.uniqueArray(few),
  groups: fc.uniqueArray(few),
  tags: fc.uniqueArray(tag),
});
const monitor = fc.record({
  id: few,
  groupIds: fc.uniqueArray(few, { maxLength: 2 }),
  tags: fc.uniqueArray(tag),
});

test('counts the monitors in scope', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(monitor, { selector: ({ id }) => id }),
      scope,
      (monitors, wanted) => {
        const expected = monitors.filter((one) => isInScope(wanted, one)).length;
        expect(coverageOf(monitors)(wanted)).toBe(expected);
      },
    ),
  );
});
