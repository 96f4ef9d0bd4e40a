import { useState, type ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { useRead } from '../../app/api.ts';
import { API } from '../../app/place.ts';
import { useSession } from '../../app/session.tsx';
import { getUptimeReport } from '../../client/sdk.gen.ts';
import { Card } from '../../parts/card.tsx';
import { Failure, Waiting } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { words } from '../../words/index.ts';
import { dataQuery, fileUrl, readPeriod } from './period.ts';
import { PeriodBar } from './period-bar.tsx';
import { ReportView } from './report-view.tsx';
import { ScopeFields, type ScopeValue } from './scope-fields.tsx';

const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;

/** Report that is not saved, about the monitors that are chosen here. */
export function AdHocReport(): ReactNode {
  const w = words.reports;
  const { zone } = useSession();
  const [search] = useSearchParams();
  const [scope, setScope] = useState<ScopeValue>({ monitors: [], groupId: null, tags: [] });
  const period = readPeriod(search, 'last_30_days');
  const isCorrected = search.get('corrected') !== 'false';
  const query = {
    ...dataQuery(period, isCorrected),
    ...(scope.monitors.length > 0 && { 'monitors[]': scope.monitors }),
    ...(scope.groupId !== null && { group_id: scope.groupId }),
    ...(scope.tags.length > 0 && { tag: scope.tags }),
    timezone: zone,
  };
  const data = useRead(['reports', 'at-once', query], () => getUptimeReport({ query }));
  const language = LANGUAGES.find((known) => words.time.locale.startsWith(known)) ?? 'en';
  return (
    <>
      <PageHead
        title={w.atOnce}
        crumbs={[{ text: w.title, href: '/reports' }, { text: w.atOnce }]}
        text={w.atOnceHint}
      />
      <PeriodBar
        period={period}
        isCorrected={isCorrected}
        isCompared={data.data?.total.compared !== null && data.data !== undefined}
      >
        {(['pdf', 'csv', 'json'] as const).map((format) => (
          <a
            key={format}
            className="btn"
            href={fileUrl(
              `${API}/reports/uptime`,
              { ...query, ...(format === 'pdf' && { language }) },
              format,
            )}
            download={`report.${format}`}
          >
            <Icon name="download" />
            {format.toUpperCase()}
          </a>
        ))}
      </PeriodBar>
      <div className="stack">
        <Card>
          <details className="rp-scope">
            <summary>{w.chooseMonitors}</summary>
            <div className="gap">
              <ScopeFields value={scope} onChange={setScope} />
            </div>
          </details>
        </Card>
        {data.error && <Failure error={data.error} retry={() => void data.refetch()} />}
        {data.isPending && <Waiting lines={6} />}
        {data.data && <ReportView data={data.data} />}
      </div>
    </>
  );
}
