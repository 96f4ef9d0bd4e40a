import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createBodyMemory, type BodyEnd } from './body-memory.ts';

const KIB = 1024;
const MIB = KIB * KIB;

function open() {
  const clock = createFakeClock({ now: Date.UTC(2030, 0, 1) });
  const memory = createBodyMemory(clock);
  const ends: [name: string, why: BodyEnd][] = [];
  let addresses = 0;
  return {
    clock,
    ends,
    body(name: string, address = `192.0.2.${(addresses += 1)}`) {
      const share = memory.open(address, (why) => void ends.push([name, why]));
      return {
        ...share,
        /** Receives and holds that many bytes in all. */
        grow(bytes: number): boolean {
          share.receive(bytes);
          return share.hold(bytes);
        },
      };
    },
  };
}

/** As many bodies of 1 MiB as fit. */
function full() {
  const world = open();
  const bodies = Array.from({ length: 64 }, (_, index) => world.body(`${index}`));
  for (const one of bodies) one.grow(MIB);
  return { ...world, bodies };
}

describe('the share of a client', () => {
  test.each([
    ['an IPv4 address', '192.0.2.7', '192.0.2.7'],
    ['an IPv4 address as IPv6', '192.0.2.7', '::ffff:192.0.2.7'],
    ['an IPv6 network of 64 bits', '2001:db8::1', '2001:db8::ffff:0:0:2'],
    ['texts that are no address', 'unknown', '?'],
  ])('is 4 MiB for %s [2.22]', (_name, one, same) => {
    const { body } = open();
    for (let index = 0; index < 4; index += 1)
      expect(body('', index % 2 === 0 ? one : same).grow(MIB)).toBe(true);
    const more = body('', one);
    expect(more.grow(1)).toBe(false);
    expect(body('', '198.51.100.1').grow(MIB)).toBe(true);
  });

  test('is given back when a body is released, once', () => {
    const { body } = open();
    const first = body('', 'a');
    expect(first.grow(4 * MIB)).toBe(true);
    expect(body('', 'a').grow(1)).toBe(false);
    first.release();
    first.release();
    expect(body('', 'a').grow(4 * MIB)).toBe(true);
    expect(body('', 'a').grow(1)).toBe(false);
  });

  test('counts what a body holds now', () => {
    const { body } = open();
    const growing = body('', 'a');
    for (let bytes = KIB; bytes <= MIB; bytes *= 2) expect(growing.grow(bytes)).toBe(true);
    expect(body('', 'a').grow(3 * MIB)).toBe(true);
  });
});

describe('when 64 MiB are held', () => {
  test('the slowest sender is ended [2.22]', async () => {
    const { clock, ends, body, bodies } = full();
    await clock.advance(5_000);
    bodies[9]!.release();
    const slow = body('slow');
    slow.grow(KIB);
    await clock.advance(2_000);
    slow.grow(64 * KIB);
    expect(body('new').grow(MIB)).toBe(true);
    expect(ends).toEqual([['slow', 'no room']]);
  });

  test('of senders that have just begun, the largest is ended', () => {
    const { ends, body } = full();
    expect(body('small').grow(KIB)).toBe(true);
    expect(ends).toEqual([['0', 'no room']]);
  });

  test('bodies that are complete are not ended', () => {
    const { ends, body, bodies } = full();
    for (const one of bodies) one.complete();
    body('new').grow(KIB);
    expect(ends).toEqual([['new', 'no room']]);
  });
});

describe('the pace of a body', () => {
  test('is at least 10 KiB in 10 seconds [2.23]', async () => {
    const { clock, ends, body } = open();
    const slow = body('slow');
    const steady = body('steady');
    const complete = body('complete');
    complete.grow(1);
    complete.complete();
    for (let second = 1; second <= 30; second += 1) {
      slow.grow(second);
      steady.grow(second * 1_100);
      await clock.advance(1_000);
      if (second === 9) expect(ends).toEqual([]);
      if (second === 12) expect(ends).toEqual([['slow', 'too slow']]);
    }
    expect(ends).toHaveLength(1);
  });
});
