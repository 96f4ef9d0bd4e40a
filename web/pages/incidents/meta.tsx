import { Link } from 'wouter';
import { useLastObserved } from '../../app/overview.ts';
import { useSession } from '../../app/session.ts';
import type { IncidentDetail, MonitorDetail } from '../../app/api.gen.ts';
import { displayStatusOf } from '../../lib/display-status.ts';
import { duration } from '../../lib/format.ts';
import { monitorName } from '../../lib/monitor-name.ts';
import { Icon } from '../../parts/icon.tsx';
import { OpenFor } from '../../parts/open-for.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { DayTime, RelativeTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';

/** State, severity, since when, the monitor; then who is on it, and how the monitor is now. */
export function Meta({
  incident,
  monitor,
}: {
  incident: IncidentDetail;
  monitor: MonitorDetail | undefined;
}) {
  return (
    <>
      <div className="meta">
        <State incident={incident} />
        <span>{words.incidents.severities[incident.severity]}</span>
        <Dot />
        {incident.counted_as !== null && (
          <>
            <span>{words.corrections.counted(words.corrections.as[incident.counted_as])}</span>
            <Dot />
          </>
        )}
        <span>
          {words.incident.since} <DayTime time={incident.started_at} withSeconds />
        </span>
        <Dot />
        <Link className="link inc-of" href={`/monitors/${incident.monitor_id}`}>
          {monitorName(incident.monitor)}
        </Link>
      </div>
      {incident.status === 'open' && (
        <p className="inc-who">
          <span>
            <Who incident={incident} />
          </span>
          {/* Its line is there before the monitor is read. */}
          {monitor === undefined ? (
            <span className="inc-now">{'\u00a0'}</span>
          ) : (
            <Now monitor={monitor} />
          )}
        </p>
      )}
    </>
  );
}

function Dot() {
  return (
    <span className="faint dot-between" aria-hidden="true">
      ·
    </span>
  );
}

function State({ incident }: { incident: IncidentDetail }) {
  if (incident.status === 'open') {
    return (
      <span className={incident.severity === 'critical' ? 'pill down' : 'pill'}>
        <span>
          {words.incident.open} · <OpenFor incident={incident} />
        </span>
      </span>
    );
  }
  const lasted = duration((incident.duration_seconds ?? 0) * 1_000, words.time);
  return (
    <span className="pill">
      <Icon name="check" />
      {words.incident.resolvedAfter(lasted)}
      {(incident.unobserved_seconds ?? 0) > 0 &&
        ` · ${words.incident.notObservedFor(duration(incident.unobserved_seconds! * 1_000, words.time))}`}
    </span>
  );
}

/** Name of the person who acknowledged an incident; null when it is not known. */
export function takenBy({ activities }: IncidentDetail): string | null {
  return activities.findLast(({ type }) => type === 'acknowledged')?.user?.name ?? null;
}

/** Who is on it. A person who can't take it reads who can. */
function Who({ incident }: { incident: IncidentDetail }) {
  const { isAtLeast } = useSession();
  const { incident: text } = words;
  if (incident.acknowledged_at === null) {
    return (
      <>
        <b className="b">{text.nobodyOnIt}</b>
        {!isAtLeast('editor') && ` ${text.editorsCan}`}
      </>
    );
  }
  return (
    <>
      <b className="b">{text.onIt(takenBy(incident))}</b>, {text.onItSince}{' '}
      <DayTime time={incident.acknowledged_at} />.
    </>
  );
}

/** Whether it is back: the status of the monitor and when it was last checked. */
function Now({ monitor }: { monitor: MonitorDetail }) {
  const is_unobserved = useLastObserved(monitor.id) !== null;
  const displayStatus = displayStatusOf({ ...monitor, is_unobserved });
  const { last_checked_at: checkedAt } = monitor;
  return (
    <span className="inc-now">
      <StatusShape displayStatus={displayStatus} isDecoration />
      <span>
        {words.incident.now[displayStatus]}
        {checkedAt !== null && !monitor.is_paused && (
          <>
            , {words.incident.checked} <RelativeTime time={checkedAt} />
          </>
        )}
      </span>
    </span>
  );
}
