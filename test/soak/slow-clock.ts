/**
 * Preloaded by `node --import`: SIGUSR2 lets both clocks of this process, the wall clock and the steady one, go at a fifth of
 * their speed. The next one ends that: the wall clock is set right, as by NTP, and the steady one goes on from where it is.
 * Timers keep their speed.
 */
const SPEED = 0.2;

const RealDate = Date;
const realSteady = performance.now.bind(performance);
/** Both real clocks when ours became slow; null while they are not. */
let slowSince: { wallMs: number; steadyMs: number } | null = null;
/** By how much the steady clock is behind since it was slow before. */
let behindMs = 0;

const now = () =>
  slowSince === null
    ? RealDate.now()
    : Math.round(slowSince.wallMs + SPEED * (RealDate.now() - slowSince.wallMs));
const steady = () => {
  const slowMs = slowSince === null ? 0 : realSteady() - slowSince.steadyMs;
  return realSteady() - behindMs - (1 - SPEED) * slowMs;
};

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
  if (slowSince === null) {
    slowSince = { wallMs: RealDate.now(), steadyMs: realSteady() };
    return;
  }
  behindMs = realSteady() - steady();
  slowSince = null;
});
