import type { ReportLinks } from '../../report/links.ts';
import { readRunFile } from '../../store/resources/report-runs.ts';
import { findAnyReport, lockAnyReport, setRecipients } from '../../store/resources/reports.ts';
import type { CollectionDeps } from '../common/collection.ts';
import { reports } from './reports.ts';
import { auditAs } from '../audit-log/entry.ts';

export type ReportMailLinks = ReturnType<typeof createReportMailLinks>;

/** Actions behind the links in mails of reports. Everybody who has a link may use it. */
export function createReportMailLinks(deps: CollectionDeps & { reportLinks: ReportLinks }) {
  const { database, clock, reportLinks } = deps;
  return {
    /** The file of a link; null when it is invalid or has expired. */
    async file(token: string) {
      const id = reportLinks.readFile(token, clock.now());
      return id === null ? null : readRunFile(database.read, id);
    },

    /** Name of the report of an unsubscription; null when it is invalid or the report is gone. */
    async preview(token: string) {
      const link = reportLinks.readUnsubscribe(token);
      const report = link && (await findAnyReport(database.read, link.reportId));
      return report?.name ?? null;
    },

    /** Removes the recipient; also when that was done before. @returns false as above. */
    async unsubscribe(token: string, address: string) {
      const link = reportLinks.readUnsubscribe(token);
      if (link === null) return false;
      return database.transaction(async (tx) => {
        const report = await lockAnyReport(tx, link.reportId);
        if (report === undefined) return false;
        const before = JSON.parse(report.recipients) as string[];
        const gone = before.filter((one) => link.isFor(one));
        if (gone.length === 0) return true;
        const recipients = before.filter((one) => !link.isFor(one));
        const unsubscribed = [
          ...(JSON.parse(report.unsubscribed) as string[]),
          ...gone.map((one) => one.toLowerCase()),
        ];
        const now = clock.now();
        await setRecipients(tx, report.id, { recipients, unsubscribed }, now);
        const actor = { personId: null, name: gone[0]!, via: 'link', address } as const;
        const target = reports.targetOf(report);
        const change = { before: { recipients: before }, after: { recipients } };
        const entry = { verb: 'unsubscribed', target, teamId: report.team_id, ...change };
        await auditAs(tx, actor, entry, now);
        return true;
      });
    },
  };
}
