import { describe, expect, it, vi } from 'vitest';
import { HELD_TO_TRUST, KeepingPolicy, KeptStatements } from './kept-statements.ts';

const FIELDS = { names: [], parsers: [] };

describe('statements that a connection keeps', () => {
  it('make room by the one that was not used for longest', () => {
    const kept = new KeptStatements(2);
    for (const name of ['a', 'b']) {
      expect(kept.makeRoomFor(name)).toEqual([name]);
      kept.keep(name, FIELDS, 0);
    }
    expect(kept.use('a', 1)).toBe(FIELDS);
    expect(kept.makeRoomFor('c')).toEqual(['c', 'b']);
    kept.keep('c', FIELDS, 1);
    expect(['a', 'b', 'c'].map((name) => kept.use(name, 1))).toEqual([FIELDS, null, FIELDS]);
  });

  it('are prepared anew after ten seconds, when their tables may have grown', () => {
    const kept = new KeptStatements();
    kept.keep('a', FIELDS, 5_000);
    expect(kept.use('a', 15_000)).toBe(FIELDS);
    expect(kept.use('a', 15_001)).toBeNull();
    expect(kept.use('a', 15_001)).toBeNull();
  });

  it('are forgotten together', () => {
    const kept = new KeptStatements();
    kept.keep('a', FIELDS, 0);
    kept.forgetAll();
    expect(kept.use('a', 0)).toBeNull();
  });
});

describe('keeping statements', () => {
  it.each([
    { uses: 0, losses: 5, isOn: true },
    { uses: 0, losses: 6, isOn: false },
    { uses: 500, losses: 10, isOn: true },
    { uses: 500, losses: 11, isOn: false },
  ])('with $losses losses in $uses uses is on: $isOn', ({ uses, losses, isOn }) => {
    const onTurnedOff = vi.fn<() => void>();
    const policy = new KeepingPolicy(true, onTurnedOff);
    for (let use = 0; use < uses; use += 1) policy.noteUse();
    for (let loss = 0; loss < losses; loss += 1) policy.noteLoss();
    expect(policy.isOn).toBe(isOn);
    expect(onTurnedOff).toHaveBeenCalledTimes(isOn ? 0 : 1);
  });

  it('is trusted inside transactions after many uses in a row without a loss', () => {
    const policy = new KeepingPolicy(true, () => {});
    const hold = (times: number) => {
      for (let use = 0; use < times; use += 1) policy.noteHeld();
    };
    hold(HELD_TO_TRUST - 1);
    expect(policy.isTrusted).toBe(false);
    hold(1);
    expect(policy.isTrusted).toBe(true);
    policy.noteLoss();
    hold(HELD_TO_TRUST - 1);
    expect(policy.isTrusted).toBe(false);
    hold(1);
    expect(policy.isTrusted).toBe(true);
  });

  it('stays off when it was turned off', () => {
    expect(new KeepingPolicy(false, () => {}).isOn).toBe(false);
  });
});
