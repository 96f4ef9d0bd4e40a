import { Link } from 'wouter';
import { useRead } from '../../app/api.ts';
import { call, type MonitorDetail, type PreviewedTarget } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { duration } from '../../lib/format.ts';
import { faceOf } from '../../lib/monitor-types.ts';
import { Card, Loading } from '../../parts/page.tsx';
import { words } from '../../words/index.ts';

const MINUTE_MS = 60_000;

/** Who would be notified if the monitor went down now, in the order of time. Only admins may know. */
export function NotifiedCard({ monitor }: { monitor: MonitorDetail }) {
  const { isAtLeast } = useSession();
  return isAtLeast('admin') ? <Notified monitor={monitor} /> : null;
}

function Notified({ monitor: { id, monitor_type } }: { monitor: MonitorDetail }) {
  const type = faceOf(monitor_type).isPush ? 'heartbeat' : 'uptime';
  const read = useRead(['alert-routes', 'preview', id, type], () =>
    call('previewAlertRoutes', { query: { monitor_id: id, type } }),
  );
  const { data } = read;
  const { notified } = words.monitor;
  return (
    <Card
      title={words.labels.notified}
      aside={
        <Link className="xs dim" href="/alert-routes">
          {words.nav.routes}
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
            <ul className="mo-changes">
              {data.data.map((target) => (
                <Target key={target.channel.id ?? target.channel.name} target={target} />
              ))}
            </ul>
          ) : (
            <p className="mo-none warn">{notified.nobody}</p>
          )}
        </>
      )}
    </Card>
  );
}

function Target({ target }: { target: PreviewedTarget }) {
  const { channel, user, after_minutes, is_notified, left_out, holds } = target;
  const { notified } = words.monitor;
  const types: Record<string, { title: string }> = words.channels.types;
  const when =
    after_minutes === 0
      ? notified.atOnce
      : notified.after(duration(after_minutes * MINUTE_MS, words.time));
  return (
    <li className={is_notified ? '' : 'faint'}>
      <div className="mo-expected">
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
