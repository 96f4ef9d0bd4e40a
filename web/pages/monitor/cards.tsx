import { Link } from 'wouter';
import { useRead, useReadBy } from '../../app/api.ts';
import {
  call,
  type Correction,
  type Incident,
  type MonitorDetail,
  type PreviewedTarget,
  type Slo,
} from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { day, dayAndTime, duration, percent } from '../../lib/format.ts';
import { faceOf, JOB_INCIDENT } from '../../lib/monitor-types.ts';
import { Card, Loading, Waiting } from '../../parts/page.tsx';
import { Facts } from '../../parts/sections.tsx';
import { words } from '../../words/index.ts';
import { Meter } from '../../parts/bars.tsx';
import { useNow } from '../../app/clock.ts';
import { usePlaces } from '../../app/regions.ts';
import { displayStatusOfSeverity } from '../../lib/severity.ts';
import { Cause } from '../../parts/cause.tsx';
import { at, DayTime, OpenFor } from '../../parts/time.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { monitorName } from '../../lib/monitor-name.ts';
import { Button } from '../../parts/button.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { reclassify, type Interval } from '../../parts/reclassify.tsx';
import { showToast } from '../../parts/toast.tsx';
import { readAgain } from './head.tsx';

const { corrections, notified } = words.monitor;

const MINUTE_MS = 60_000;

/** Who would be notified if the monitor went down now, in the order of time. Only admins may know. */
export function NotifiedCard({ monitor }: { monitor: MonitorDetail }) {
  const { isAtLeast } = useSession();
  return isAtLeast('admin') ? <Notified monitor={monitor} /> : null;
}

function Notified({ monitor: { id, monitor_type } }: { monitor: MonitorDetail }) {
  const type = faceOf(monitor_type).isPush ? JOB_INCIDENT : 'uptime';
  const read = useRead('previewAlertRoutes', { query: { monitor_id: id, type } });
  const { data } = read;
  return (
    <Card
      title={words.labels.notified}
      aside={
        <Link className="xs dim" href="/alert-routes">
          {words.nav.alertRoutes}
        </Link>
      }
    >
      <Loading reads={[read]} lines={2} />
      {data !== undefined && (
        <>
          {data.holds.map(({ code, text }) => (
            <p key={code} className="notice mo-notice">
              {notified.held} {text}
            </p>
          ))}
          {data.data.some(({ is_notified }) => is_notified) ? (
            <ul className="sm wrap mo-changes">
              {data.data.map((target) => (
                <Target key={target.channel.id ?? target.channel.name} target={target} />
              ))}
            </ul>
          ) : (
            <p className="inset sm dim warn">{notified.nobody}</p>
          )}
        </>
      )}
    </Card>
  );
}

function Target({ target }: { target: PreviewedTarget }) {
  const { channel, user, after_minutes, is_notified, left_out, holds } = target;
  const types: Record<string, { title: string }> = words.channelTypes;
  const when =
    after_minutes === 0 ? notified.atOnce : notified.after(duration(after_minutes * MINUTE_MS));
  return (
    <li className={is_notified ? '' : 'faint'}>
      <div className="row between mo-expected">
        <span>
          {user?.name ?? channel.name}{' '}
          <span className="xs faint">
            {user === null ? (types[channel.type]?.title ?? channel.type) : channel.name}
          </span>
        </span>
        <span className="xs faint">{is_notified ? when : notified.never}</span>
      </div>
      {left_out !== null && <div className="xs">{left_out.text}</div>}
      {holds.map(({ code, text }) => (
        <div key={code} className="xs dim">
          {text}
        </div>
      ))}
    </li>
  );
}

/** The budget moves with time, without an event of the live stream */
const REFRESH_MS = 60_000;

/** The SLO of a monitor: a list without entries where there is none. */
function useSlo(id: number, options?: { refetchInterval: number }) {
  const query = { monitor_id: id };
  return useReadBy(['team', 'slo', id], () => call('listSlos', { query }), options);
}

/** Error budget, where the monitor has an objective. */
export function SloCard({ monitor }: { monitor: MonitorDetail }) {
  const { data } = useSlo(monitor.id);
  const slo = data?.data[0];
  return slo === undefined ? null : <ErrorBudget slo={slo} />;
}

function ErrorBudget({ slo: data }: { slo: Slo }) {
  useSlo(data.monitor_id, { refetchInterval: REFRESH_MS });
  const { slo } = words;
  const { locale } = words.time;
  const { budget_seconds, spent_seconds, left_seconds, left_percent, burn_rate_1h, burn_rate_6h } =
    data.error_budget;
  const isKept = left_seconds >= 0;
  const share = Math.min(100, Math.max(0, left_percent ?? 0));
  const look = !isKept ? 'down' : share < 25 ? 'warn' : 'up';
  const plain = (value: number) => new Intl.NumberFormat(locale).format(value);
  const rate = (value: number) =>
    slo.times(new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 }).format(value));
  return (
    <Card
      title={words.labels.errorBudget}
      aside={
        <span className={`xs b ${data.burning === 'fast' ? 'down' : look}`}>
          {data.burning === null ? (isKept ? slo.kept : slo.missed) : slo.burning[data.burning]}
        </span>
      }
    >
      <div className="gap under tight">
        <p className="b">
          {isKept ? slo.left(budgetTime(left_seconds)) : slo.over(budgetTime(left_seconds))}
        </p>
        <Meter share={share} look={look} label={slo.bar(percent(share))} />
        <p className="xs dim">{slo.target(plain(data.target_percent), data.window_days)}</p>
      </div>
      <Facts
        rows={[
          [slo.spent, words.terms.of(budgetTime(spent_seconds), budgetTime(budget_seconds))],
          [slo.burnHour, rate(burn_rate_1h)],
          [slo.burnSix, rate(burn_rate_6h)],
        ]}
      />
    </Card>
  );
}

function budgetTime(seconds: number): string {
  return duration(Math.abs(seconds) * 1_000);
}

const SHOWN = 5;

export function IncidentsCard({ monitor }: { monitor: MonitorDetail }) {
  const { data } = useRead('listMonitorIncidents', {
    path: { id: monitor.id },
    query: { per_page: SHOWN },
  });
  const { incidents } = words.monitor;
  return (
    <Card
      title={words.nav.incidents}
      aside={
        data !== undefined &&
        data.total > 0 && (
          <Link className="xs dim" href={`/incidents?monitor_id=${monitor.id}`}>
            {incidents.all(data.total)}
          </Link>
        )
      }
    >
      {data === undefined ? (
        <Waiting lines={2} />
      ) : data.total === 0 ? (
        <p className="inset sm dim">{incidents.none}</p>
      ) : (
        <ul className="rows">
          {data.data.map((incident) => (
            <IncidentRow key={incident.id} incident={incident} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function IncidentRow({ incident }: { incident: Incident }) {
  const { zone } = useSession();
  const now = useNow(60_000);
  const places = usePlaces();
  const { incidents, unknownCause } = words.monitor;
  const { id, severity, status, root_cause, started_at, duration_seconds } = incident;
  const isOpen = status === 'open';
  const text = !isOpen
    ? incidents.resolved
    : incident.acknowledged_at === null
      ? incidents.open
      : incidents.openAcknowledged;
  const where = (incident.region ?? '').split(',').filter(Boolean);
  return (
    <li>
      <StatusShape displayStatus={displayStatusOfSeverity(severity)} />
      <div className="wrap">
        <Link className={isOpen ? 'b' : ''} href={`/incidents/${id}`}>
          {root_cause === null ? unknownCause : <Cause>{root_cause}</Cause>}
        </Link>
        <div className="xs dim">
          {text}
          {incident.is_regional && `, ${incidents.regional(where.map(places.checkOf).join(', '))}`}
        </div>
      </div>
      <div className="t">
        {day(at(started_at), now, zone)}
        <br />
        {duration_seconds === null ? (
          <OpenFor incident={incident} />
        ) : (
          duration(duration_seconds * 1_000)
        )}
      </div>
    </li>
  );
}

const HOUR_MS = 3_600_000;

/** Shows a part that the address names, once it is there. */
function showNamed(part: HTMLElement | null): void {
  if (location.hash === `#${part?.id}`) part?.scrollIntoView({ block: 'center' });
}

/** Times that count otherwise than they were recorded. */
export function CorrectionsCard({ monitor }: { monitor: MonitorDetail }) {
  const { isAtLeast } = useSession();
  const { data } = useRead('listMonitorCorrections', {
    path: { id: monitor.id },
    query: { per_page: 50, include_removed: 'true' },
  });
  const list = data?.data ?? [];
  return (
    <Card
      title={words.labels.corrections}
      aside={
        isAtLeast('editor') && (
          <Button icon="plus" onClick={() => reclassify(newestOutage(monitor))}>
            {words.labels.addCorrection}
          </Button>
        )
      }
    >
      <p className="inset sm dim">
        {corrections.hint} {data !== undefined && list.length === 0 && corrections.none}
      </p>
      {list.length > 0 && (
        <ul className="rows sm mo-corrections" id="corrections" ref={showNamed}>
          {list.map((correction) => (
            <CorrectionRow key={correction.id} correction={correction} />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Time of the newest incident; without one the last hour. */
function newestOutage(monitor: MonitorDetail): Interval {
  const [newest] = monitor.incidents;
  const now = Date.now();
  return {
    monitorId: monitor.id,
    monitor: monitorName(monitor),
    from: newest?.started_at ?? new Date(now - HOUR_MS).toISOString(),
    to: newest?.ended_at ?? new Date(now).toISOString(),
  };
}

function CorrectionRow({ correction }: { correction: Correction }) {
  const { isAtLeast } = useSession();
  const { from, to, as, reason, evidence, created_by, removed_at, removed_by } = correction;
  const isRemoved = removed_at !== null;
  return (
    <li className={isRemoved ? 'faint mo-removed' : ''}>
      <div>
        <span className="b">{corrections.countsAs(words.corrections.as[as])}</span>
        {': '}
        <DayTime time={from} /> – <DayTime time={to} />
        <div className="xs dim">
          {reason}
          {evidence !== null && ` · ${evidence}`}
        </div>
        <div className="xs faint">
          {corrections.by(created_by?.name ?? null)}
          {isRemoved && ` · ${corrections.removed(removed_by?.name ?? null)}`}
        </div>
      </div>
      {!isRemoved && isAtLeast('editor') && <RemoveButton correction={correction} />}
    </li>
  );
}

function RemoveButton({ correction }: { correction: Correction }) {
  const { zone } = useSession();
  const { id, monitor_id, from, to } = correction;
  const write = (time: string) => dayAndTime(at(time), Date.now(), zone);
  const remove = () =>
    confirm({
      title: corrections.removeTitle,
      text: corrections.removeText(write(from), write(to)),
      action: words.labels.takeBack,
      onConfirm: async () => {
        await call('deleteMonitorCorrection', { path: { id: monitor_id, correction: id } });
        await readAgain();
        showToast(corrections.added);
      },
    });
  return (
    <Button look="ghost" onClick={remove}>
      {words.labels.takeBack}
    </Button>
  );
}
