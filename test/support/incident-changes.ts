import { CONDITIONS, type Condition } from '../../src/model/condition.ts';
import type { IncidentChange } from '../../src/model/incident.ts';

/** A problem of a story. */
export interface ToldTrouble {
  condition?: Condition;
  cause?: string;
  address?: string | null;
  regions?: string[];
  /** Name of the machine that checked for all regions. */
  vantage?: string;
}

interface Of {
  monitorId: number;
  teamId: number;
  /** Epoch ms. */
  at: number;
}

/** A monitor fails. `from` is the previous condition. */
export function opening(
  change: Of & { trouble?: ToldTrouble; from?: Condition | null },
): IncidentChange {
  const { monitorId, teamId, at, trouble = {}, from = null } = change;
  const { condition = 'uptime', cause = 'Connection refused', regions = ['ash'] } = trouble;
  const { type, severity } = CONDITIONS[condition];
  const address = trouble.address === undefined ? `192.0.2.${monitorId}` : trouble.address;
  return {
    kind: 'open',
    monitorId,
    teamId,
    type,
    condition,
    severity,
    at,
    status: { previous: 'online', current: severity === 'critical' ? 'offline' : 'degraded' },
    rootCause: cause,
    failureCode: 'connection_refused',
    regions: condition === 'regional' ? regions : null,
    evidence: regions.map((region) => ({
      region,
      ...(trouble.vantage !== undefined && { vantage: trouble.vantage }),
      failure: { code: 'connection_refused', text: cause },
      checkedAt: at,
      attempts: [at],
      timings: { dnsMs: 1, tcpMs: null, tlsMs: null, ttfbMs: null, totalMs: 3 },
      statusCode: null,
      remoteAddress: address,
      answer: null,
    })),
    from,
  };
}

/** It recovers, or turns `into` another condition. */
export function ending(
  change: Of & { condition?: Condition; into?: Condition | null },
): IncidentChange {
  const { monitorId, teamId, at, condition = 'uptime', into = null } = change;
  return {
    kind: 'resolve',
    monitorId,
    teamId,
    type: CONDITIONS[condition].type,
    condition,
    at,
    status: { previous: 'offline', current: 'online' },
    reason: into === null ? 'recovered' : 'changed_over',
    into,
  };
}
