import { Link } from 'wouter';
import { useRead } from '../../app/api.ts';
import { call, type Incident, type MonitorDetail } from '../../app/client.ts';
import { useNow } from '../../app/clock.ts';
import { usePlaces } from '../../app/regions.ts';
import { useSession } from '../../app/session.ts';
import { day, duration } from '../../lib/format.ts';
import { displayStatusOfSeverity } from '../../lib/severity.ts';
import { Cause } from '../../parts/cause.tsx';
import { OpenFor } from '../../parts/open-for.tsx';
import { Card, Waiting } from '../../parts/page.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { at } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';

const SHOWN = 5;

export function IncidentsCard({ monitor }: { monitor: MonitorDetail }) {
  const { data } = useRead(['monitor', monitor.id, 'incidents', SHOWN], () =>
    call('listMonitorIncidents', { path: { id: monitor.id }, query: { per_page: SHOWN } }),
  );
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
        <p className="mo-none">{incidents.none}</p>
      ) : (
        <ul className="rows">
          {data.data.map((incident) => (
            <Row key={incident.id} incident={incident} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Row({ incident }: { incident: Incident }) {
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
      <div className="mo-cause">
        <Link className={isOpen ? 'b' : ''} href={`/incidents/${id}`}>
          {root_cause === null ? unknownCause : <Cause>{root_cause}</Cause>}
        </Link>
        <div className="xs dim">
          {text}
          {incident.is_regional && `, ${incidents.regional(where.map(places.checkOf).join(', '))}`}
        </div>
      </div>
      <div className="t">
        {day(at(started_at), now, zone, words.time)}
        <br />
        {duration_seconds === null ? (
          <OpenFor incident={incident} />
        ) : (
          duration(duration_seconds * 1_000, words.time)
        )}
      </div>
    </li>
  );
}
