import type { Timings } from '../../model/check.ts';
import type { RegionEvidence } from '../../model/incident.ts';
import type { ActivityRow, IncidentRow } from '../../store/resources/incidents.ts';
import { urlOf, type ViewDeps } from '../monitors/view.ts';
import { isoOrNull, isoTime, tenths } from '../common/time.ts';

/** An incident in lists and alone (contract 21.23). */
export function viewIncident(row: IncidentRow, deps: ViewDeps) {
  return {
    id: row.id,
    monitor_id: row.monitor_id,
    type: row.type,
    severity: row.severity,
    status: row.ended_at === null ? 'open' : 'resolved',
    root_cause: row.root_cause,
    started_at: isoTime(row.started_at),
    ended_at: isoOrNull(row.ended_at),
    duration: durationMinutes(row.started_at, row.ended_at),
    duration_seconds:
      row.ended_at === null ? null : Math.round((row.ended_at - row.started_at) / 1_000),
    acknowledged_at: isoOrNull(row.acknowledged_at),
    acknowledged_by: row.acknowledged_by,
    is_regional: row.is_regional === 1,
    region: row.region,
    counted_as: row.counted_as,
    monitor: {
      id: row.monitor_id,
      url: urlOf(
        { team_id: row.team_id, url: row.monitor_url, ping_token: row.monitor_ping_token },
        deps,
      ),
      friendly_name: row.monitor_friendly_name,
    },
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** Whole seconds of a time in milliseconds. */
export function unobservedSeconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.round(milliseconds / 1_000);
}

/** Rounded minutes, at least 1; null while open. */
export function durationMinutes(startedAt: number, endedAt: number | null): number | null {
  return endedAt === null ? null : Math.max(1, Math.round((endedAt - startedAt) / 60_000));
}

export function viewActivity(row: ActivityRow) {
  return {
    id: row.id,
    type: row.type,
    description: row.description,
    user: row.person_id === null ? null : { id: row.person_id, name: row.person_name },
    created_at: isoTime(row.created_at),
  };
}

/** @param json stored `RegionEvidence`. */
export function viewEvidence(json: string) {
  const evidence = JSON.parse(json) as RegionEvidence;
  return {
    region: evidence.region,
    vantage: evidence.vantage ?? null,
    checked_at: isoTime(evidence.checkedAt),
    attempts: evidence.attempts.map(isoTime),
    failure: evidence.failure && { code: evidence.failure.code, text: evidence.failure.text },
    status_code: evidence.statusCode,
    remote_address: evidence.remoteAddress,
    timings: viewTimings(evidence.timings),
    status_line: evidence.answer?.statusLine ?? null,
    headers: evidence.answer?.headers ?? null,
    body: evidence.answer?.body ?? null,
    redirects: evidence.answer?.redirects ?? [],
    tls: viewTls(evidence.answer?.tls ?? null),
  };
}

export function viewTimings(timings: Timings) {
  return {
    dns_ms: tenths(timings.dnsMs),
    tcp_ms: tenths(timings.tcpMs),
    tls_ms: tenths(timings.tlsMs),
    ttfb_ms: tenths(timings.ttfbMs),
    total_ms: tenths(timings.totalMs),
  };
}

function viewTls(tls: NonNullable<RegionEvidence['answer']>['tls']) {
  if (tls === null) return null;
  return {
    protocol: tls.protocol,
    subject: tls.subject,
    issuer: tls.issuer,
    valid_from: tls.validFrom,
    valid_to: tls.validTo,
    cipher: tls.cipher,
    chain: tls.chain.map((link) => ({
      subject: link.subject,
      issuer: link.issuer,
      valid_to: link.validTo,
    })),
  };
}
