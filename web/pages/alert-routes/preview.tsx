import { useState } from 'react';
import { useRead } from '../../app/api.ts';
import { type AlertHold, type AlertPreview, type PreviewedTarget } from '../../app/client.ts';
import { useTeamNames } from '../../app/names.ts';
import { SEVERITIES, type Severity } from '../../lib/severity.ts';
import { Choose, Input } from '../../parts/form.tsx';
import { Card, isLoaded, Loading } from '../../parts/page.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';

const { alertRoutes } = words;

type IncidentType = AlertPreview['type'];

/** More monitors than this are looked for by name. */
const MANY = 15;

/** Monitors whose name has a text in it, those that begin with it first. */
function matching<Named extends { name: string }>(all: readonly Named[], text: string): Named[] {
  const wanted = text.trim().toLowerCase();
  const place = ({ name }: Named) => name.toLowerCase().indexOf(wanted);
  return all
    .filter((one) => place(one) >= 0)
    .toSorted((a, b) => Math.sign(place(a)) - Math.sign(place(b)));
}

/** Who would be notified of an incident of a monitor, when, and what would hold it back. */
export function RoutePreview() {
  const { monitors } = useTeamNames();
  const [monitor, setMonitor] = useState('');
  const [type, setType] = useState<IncidentType>('uptime');
  const [severity, setSeverity] = useState<Severity | ''>('');
  const [search, setSearch] = useState('');
  // Nobody is notified of what a person records.
  const { manual: _manual, ...types } = words.incidents.types;
  const found = matching(monitors, search);
  const look = (text: string) => {
    setSearch(text);
    const [first] = matching(monitors, text);
    setMonitor(text.trim() === '' || first === undefined ? '' : String(first.id));
  };
  return (
    <Card title={alertRoutes.previewTitle}>
      <div className="inset sm gap">
        <p className="dim">{alertRoutes.previewText}</p>
        {monitors.length > MANY && (
          <Input
            name="preview_search"
            type="search"
            label={alertRoutes.searchMonitor}
            value={search}
            onChange={look}
          />
        )}
        <Choose
          name="preview_monitor"
          label={words.labels.monitor}
          value={monitor}
          onChange={setMonitor}
          none={words.terms.chooseMonitor}
          options={found.map(({ id, name }) => ({ value: String(id), text: name }))}
        />
        <Choose
          name="preview_type"
          label={alertRoutes.incident}
          value={type}
          onChange={(value) => setType(value as IncidentType)}
          options={Object.entries(types).map(([value, text]) => ({ value, text }))}
        />
        <Choose
          name="preview_severity"
          label={words.terms.severity}
          value={severity}
          onChange={(value) => setSeverity(value as Severity | '')}
          none={alertRoutes.usual}
          options={SEVERITIES.map((value) => ({ value, text: words.severities[value] }))}
        />
      </div>
      {monitor !== '' && <Answer monitor={Number(monitor)} type={type} severity={severity} />}
    </Card>
  );
}

function Answer(props: { monitor: number; type: IncidentType; severity: Severity | '' }) {
  const { monitor, type, severity } = props;
  const read = useRead('previewAlertRoutes', {
    query: { monitor_id: monitor, type, ...(severity && { severity }) },
  });
  if (!isLoaded(read)) return <Loading reads={[read]} lines={2} />;
  const { data, holds } = read.data;
  const isNobody = !data.some((target) => target.is_notified);
  return (
    <div aria-live="polite">
      {isNobody && <p className="sm dim intro b">{alertRoutes.nobody}</p>}
      {holds.length > 0 && (
        <div className="notice inside">
          <p className="b">{alertRoutes.heldAll}</p>
          <Holds holds={holds} />
        </div>
      )}
      <ol className="entry-list">
        {data.map((target) => (
          <Target
            key={`${target.user?.id}-${target.channel.id}-${target.channel.type}-${target.after_minutes}`}
            target={target}
          />
        ))}
      </ol>
    </div>
  );
}

function Target({ target }: { target: PreviewedTarget }) {
  const { channel, user, after_minutes: after, routes, left_out: left, holds } = target;
  const who =
    user === null ? channel.name : alertRoutes.of(channel.name, user.name ?? `#${user.id}`);
  const why =
    routes.length === 0
      ? alertRoutes.byDefault
      : alertRoutes.by(routes.map((route) => route.name).join(', '));
  return (
    <li className="entry">
      <StatusShape
        displayStatus={left !== null ? 'paused' : holds.length > 0 ? 'pending' : 'online'}
        isDecoration
      />
      <div>
        <p className="name">{who}</p>
        <p className="sub">
          {after === 0 ? alertRoutes.atOnce : alertRoutes.afterMinutes(after)} · {why}
        </p>
        {left !== null && (
          <p className="sub warn">
            {alertRoutes.notNotified}: {alertRoutes.reasons[left.code] ?? left.text}
          </p>
        )}
        <Holds holds={holds} />
      </div>
    </li>
  );
}

function Holds({ holds }: { holds: readonly AlertHold[] }) {
  return holds.map(({ code, text, until }) => (
    <p key={code} className="sub">
      {(alertRoutes.reasons[code] ?? text).replace(/\.$/, '')} ({words.labels.until}{' '}
      <DayTime time={until} />)
    </p>
  ));
}
