import type { InspectionKind } from '../../../src/model/inspection.ts';
import { alternate } from '../segments.ts';
import type { Segment } from '../segments.ts';
import type { Random } from '../random.ts';

/** What an inspection gets from a target. End and expiry times are milliseconds after the world's first wall time. */
export interface InspectionView {
  ssl: Unclear | { kind: 'certificate'; mark: string; endsAt: number; isTrusted: boolean };
  dns: Unclear | { kind: 'records'; address: string } | { kind: 'failed' };
  domain: Unclear | { kind: 'registration'; expiresAt: number | null; isLost: boolean };
}

/** No answer, or an unusable one; a registry may ask for a delay. */
type Unclear = { kind: 'silent' } | { kind: 'unclear'; retryAfterMs?: number };

export type Script<Kind extends InspectionKind> = Segment<InspectionView[Kind]>[];
export type TargetScripts = { ssl: Script<'ssl'>; dns: Script<'dns'> };

const MINUTE = 60_000;
const DAY = 86_400_000;

export function targetScripts(random: Random, wildMs: number): TargetScripts {
  return { ssl: sslScript(random, wildMs), dns: dnsScript(random, wildMs) };
}

function sslScript(random: Random, wildMs: number): Script<'ssl'> {
  let issued = 0;
  const certificate = (endsAt: number, isTrusted = true): InspectionView['ssl'] => {
    issued += 1;
    return { kind: 'certificate', mark: String(issued), endsAt, isTrusted };
  };
  const fine = () => certificate(200 * DAY);
  switch (random.weighted({ good: 3, expiring: 2, ending: 3, untrusted: 3, unclear: 1 })) {
    case 'expiring':
      return [{ from: 0, value: certificate(5 * DAY + DAY / 2) }];
    case 'ending': {
      const endsAt = random.integer(MINUTE, wildMs);
      const renewedAt = random.integer(MINUTE, 2 * wildMs);
      return [
        { from: 0, value: certificate(endsAt) },
        { from: renewedAt, value: fine() },
      ];
    }
    case 'untrusted': {
      const bad = () => certificate(200 * DAY, false);
      if (random.chance(0.3)) return [{ from: 0, value: bad() }];
      return alternate(random, wildMs, fine, bad, ...TIMES);
    }
    case 'unclear':
      return alternate(random, wildMs, fine, () => unclear(random), ...TIMES);
    default:
      return [{ from: 0, value: fine() }];
  }
}

const failed = (): InspectionView['dns'] => ({ kind: 'failed' });

function dnsScript(random: Random, wildMs: number): Script<'dns'> {
  let moved = 0;
  const records = (): InspectionView['dns'] => ({
    kind: 'records',
    address: `192.0.2.${(moved += 1)}`,
  });
  switch (random.weighted({ good: 2, bad: 2, outage: 4, moving: 2, unclear: 1 })) {
    case 'bad':
      return [{ from: 0, value: failed() }];
    case 'outage':
      return alternate(random, wildMs, records, failed, ...TIMES);
    case 'moving':
      return alternate(random, wildMs, records, records, ...TIMES);
    case 'unclear':
      return alternate(
        random,
        wildMs,
        random.pick([records, failed]),
        () => unclear(random),
        ...TIMES,
      );
    default:
      return [{ from: 0, value: records() }];
  }
}

function registration(expiresAt: number | null, isLost = false): InspectionView['domain'] {
  return { kind: 'registration', expiresAt, isLost };
}

const good = () => registration(300 * DAY);

/** All targets are below one domain. */
export function domainScript(random: Random, wildMs: number): Script<'domain'> {
  const bad = random.pick([
    () => registration(10 * DAY),
    () => registration(-DAY),
    () => registration(20 * DAY, true),
  ]);
  switch (random.weighted({ good: 2, bad: 3, ending: 2, outage: 2, untold: 1, unclear: 1 })) {
    case 'bad':
      return [{ from: 0, value: bad() }];
    case 'ending':
      return [
        { from: 0, value: registration(random.integer(MINUTE, wildMs)) },
        { from: random.integer(MINUTE, 2 * wildMs), value: good() },
      ];
    case 'outage':
      return alternate(random, wildMs, good, bad, ...TIMES);
    case 'untold':
      return [{ from: 0, value: registration(null) }];
    case 'unclear':
      return alternate(random, wildMs, good, () => unclear(random, true), ...TIMES);
    default:
      return [{ from: 0, value: good() }];
  }
}

const TIMES: [[number, number], [number, number]] = [
  [MINUTE, 10 * MINUTE],
  [20_000, 10 * MINUTE],
];

/** @param isRegistry whether it may ask for a delay before the next query. */
function unclear(random: Random, isRegistry = false): Unclear {
  if (random.chance(0.4)) return { kind: 'silent' };
  const retryAfterMs = random.chance(0.3) ? random.integer(MINUTE, 20 * MINUTE) : null;
  return isRegistry && retryAfterMs !== null
    ? { kind: 'unclear', retryAfterMs }
    : { kind: 'unclear' };
}
