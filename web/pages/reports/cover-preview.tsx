import { useRead } from '../../app/api.ts';
import { type Report } from '../../app/client.ts';
import { API } from '../../app/place.ts';
import { useSession } from '../../app/session.ts';
import { Icon } from '../../parts/icon.tsx';
import { words } from '../../words/index.ts';
import { downtimeOf, Percent } from './figures.tsx';
import { fileUrl } from './period.ts';

type Draft = Pick<
  Report,
  'name' | 'monitors' | 'group_id' | 'tags' | 'period' | 'timezone' | 'language'
>;

/** The cover of a report that is being edited, with the figures of today, and a link to the whole file. */
export function CoverPreview({ report }: { report: Draft }) {
  const w = words.reports;
  const team = useSession().team?.name ?? '';
  const { name, monitors, group_id, tags, period, timezone, language } = report;
  const query = {
    ...(monitors.length > 0 && { 'monitors[]': monitors }),
    ...(group_id !== null && { group_id }),
    ...(tags.length > 0 && { tag: tags }),
    period,
    timezone,
  };
  const total = useRead('getUptimeReport', { query }).data?.total;
  return (
    <section className="gap start wrap rp-cover" aria-label={w.cover}>
      <p className="b">
        <span className="brand rp-mark" aria-hidden="true">
          {team.slice(0, 1).toUpperCase()}
        </span>
        {team}
      </p>
      <p className="rp-title">{name === '' ? w.create : name}</p>
      <p className="dim">{w.periods[period]}</p>
      {total !== undefined && (
        <>
          <p className={total.uptime_percent === null ? 'rp-title' : 'rp-headline'}>
            {total.uptime_percent === null ? (
              w.nothingObserved
            ) : (
              <Percent value={total.uptime_percent} />
            )}
          </p>
          <p className="dim">
            {words.terms.monitorCount(total.monitors_count)}
            {total.uptime_percent !== null && ` · ${w.downtime}: ${downtimeOf(total)}`}
          </p>
        </>
      )}
      <a
        className="btn"
        href={fileUrl(`${API}/reports/uptime`, { ...query, language }, 'pdf')}
        download={`${name || 'report'}.pdf`}
      >
        <Icon name="download" />
        {w.sample}
      </a>
    </section>
  );
}
