/**
 * Preloaded by `node --import`: sets the wall clock of this process off by CLOCK_SHIFT_MS. The steady clock stays as it is,
 * as on a machine whose clock was set wrong.
 */
const shiftMs = Number(process.env['CLOCK_SHIFT_MS'] ?? 0);
const RealDate = Date;
const now = () => RealDate.now() + shiftMs;

class ShiftedDate extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    super(...((given.length === 0 ? [now()] : given) as [number]));
  }

  static override now(): number {
    return now();
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
