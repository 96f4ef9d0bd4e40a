/**
 * Preloaded by `node --import`: SIGUSR2 lets both clocks of this process, the wall clock and the steady one, go at a fifth of
 * their speed, and the next one sets them right. A process that is suspended for moments again and again sees time like this.
 * Timers keep theirs.
 */
const SPEED = 0.2;

const RealDate = Date;
const realSteady = performance.now.bind(performance);
/** Both clocks when they became slow; null while they are right. */
let slowSince: { wallMs: number; steadyMs: number } | null = null;

const now = () =>
  slowSince === null
    ? RealDate.now()
    : Math.round(slowSince.wallMs + SPEED * (RealDate.now() - slowSince.wallMs));
const steady = () =>
  slowSince === null
    ? realSteady()
    : slowSince.steadyMs + SPEED * (realSteady() - slowSince.steadyMs);

class SlowDate extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    super(...((given.length === 0 ? [now()] : given) as [number]));
  }

  static override now(): number {
    return now();
  }
}

globalThis.Date = SlowDate as DateConstructor;
Object.defineProperty(performance, 'now', { value: steady });
process.on('SIGUSR2', () => {
  slowSince = slowSince === null ? { wallMs: RealDate.now(), steadyMs: realSteady() } : null;
});
