import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import {
  assignedTargets,
  placeOfInspections,
  readStoredTarget,
} from '../../engine/inspect/target.ts';
import type { InspectionKind } from '../../model/inspection.ts';
import type { Regions } from '../../model/regions.ts';
import type { Database } from '../../store/database/contract.ts';
import type { MonitorRow } from '../../store/resources/monitors.ts';
import {
  listCertificates,
  listMonitorActivities,
  listRecordSets,
} from '../../store/engine/target-history.ts';
import type { SeenCertificate } from '../../store/engine/target-history.ts';
import { authorize } from '../common/errors.ts';
import { requireMonitor } from '../monitors/find.ts';
import { readQuery } from '../common/input.ts';
import {
  UNSORTED_PAGE_QUERY,
  pageOf,
  pagingOf,
  type ListAddress,
  type Page,
} from '../common/page.ts';
import { isoTime } from '../common/time.ts';

type ListEntries = (
  caller: Caller,
  id: number,
  query: object,
  address: ListAddress,
) => Promise<Page<object>>;
export const targetHistoryQuery = z.object(UNSORTED_PAGE_QUERY);

/** Pages of what inspections found about a monitor's target, newest first. */
export function createTargetHistoryService(deps: { database: Database; regions: Regions }) {
  const { regions } = deps;
  const db = deps.database.read;

  const list =
    (
      read: (
        row: MonitorRow,
        paging: { limit: number; offset: number },
      ) => Promise<{ entries: object[]; total: number }>,
    ): ListEntries =>
    async (caller, id, query, address) => {
      authorize(caller, 'read');
      const row = await requireMonitor(db, caller, id);
      const paging = pagingOf(readQuery(targetHistoryQuery, query), 'created_at');
      const { entries, total } = await read(row, paging);
      return pageOf(entries, total, paging, address);
    };

  return {
    /** DNS records of the host, one entry per change. */
    listDns: list(async (row, { limit, offset }) => {
      const { created_at: since } = row;
      const target = targetOf(regions, row, 'dns');
      const host = readStoredTarget(target).target;
      const { total, sets } = await listRecordSets(db, { target, since, limit, offset });
      const entries = sets.map(({ id, seenAt, source, records }) => ({
        id,
        host,
        seen_at: isoTime(Math.max(seenAt, since)),
        source,
        records,
      }));
      return { entries, total };
    }),

    /** Certificates of the host and port, one entry per change. */
    listCertificates: list(async (row, { limit, offset }) => {
      const { created_at: since } = row;
      const wanted = { target: targetOf(regions, row, 'ssl'), since, limit, offset };
      const { total, certificates } = await listCertificates(db, wanted);
      return { entries: certificates.map((one) => viewCertificate(one, since)), total };
    }),

    /** Changes that are no problem. */
    listActivities: list(async ({ id: monitorId }, { limit, offset }) => {
      const { total, activities } = await listMonitorActivities(db, monitorId, limit, offset);
      const entries = activities.map(({ id, type, description, created_at }) => ({
        id,
        type,
        description,
        created_at: isoTime(created_at),
      }));
      return { entries, total };
    }),
  };
}

/** Stored target of an inspection, which has a history even while its check type is off. */
function targetOf(regions: Regions, row: MonitorRow, kind: InspectionKind): string {
  const { type, url, port, team_id: teamId } = row;
  const monitored = JSON.parse(row.monitored_regions) as string[];
  const place = placeOfInspections(regions, teamId, monitored);
  const [found] = assignedTargets({ type, url, port, checkTypes: [kind], place });
  return found?.[1] ?? NO_TARGET;
}

/** Matches no stored target. */
const NO_TARGET = '';

/** @param since epoch milliseconds at which the monitor was created; what other teams' monitors saw earlier stays hidden. */
function viewCertificate({ id, seenAt, facts }: SeenCertificate, since: number) {
  const { certificate } = facts;
  return {
    id,
    seen_at: isoTime(Math.max(seenAt, since)),
    address: facts.address,
    protocol: facts.protocol,
    cipher: facts.cipher,
    fingerprint: certificate.fingerprint,
    serial_number: certificate.serialNumber,
    subject: certificate.subject,
    issuer: certificate.issuer,
    names: certificate.names,
    valid_from: isoTime(certificate.validFrom),
    valid_to: isoTime(certificate.validTo),
    key_type: certificate.keyType,
    key_bits: certificate.keyBits,
    chain: facts.chain.map((link) => ({
      subject: link.subject,
      issuer: link.issuer,
      valid_to: isoTime(link.validTo),
    })),
    ocsp_status: facts.ocsp?.status ?? null,
    error: facts.fault?.text ?? null,
  };
}
