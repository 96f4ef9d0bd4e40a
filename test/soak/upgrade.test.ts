import { expect, test } from 'vitest';
import { FLEETS } from './fleets.ts';
import type { ProcessKind } from './fleets.ts';
import { upgradeOrder } from './upgrade.ts';

const members = (kinds: readonly Pick<ProcessKind, 'name' | 'count' | 'env'>[]) =>
  kinds.flatMap((kind) =>
    Array.from({ length: kind.count }, (_, index) => ({ kind, name: `${kind.name}-${index + 1}` })),
  );

test('those that read what others write are upgraded before these', () => {
  const order = upgradeOrder(members(FLEETS.roles)).map(({ name }) => name);
  expect(order.join(' ')).toBe(
    'probe-1 probe-2 worker-1 worker-2 scheduler-1 scheduler-2 api-1 api-2',
  );
});

test('probes of all regions are upgraded before servers', () => {
  const order = upgradeOrder(members(FLEETS.far)).map(({ name }) => name);
  expect(order.join(' ')).toBe('probe-nbg-1 probe-nbg-2 probe-sin-1 probe-sin-2 server-1 server-2');
});

test('processes of all roles are upgraded in the order of their start', () => {
  const order = upgradeOrder(members(FLEETS.pair)).map(({ name }) => name);
  expect(order).toEqual(['whole-1', 'whole-2']);
});
