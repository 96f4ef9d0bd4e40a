import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useSummary } from '../../app/overview.ts';
import { usePlaces } from '../../app/regions.ts';
import { useSession } from '../../app/session.ts';
import type { MonitorDetail } from '../../app/api.gen.ts';
import { duration } from '../../lib/format.ts';
import { faceOf } from '../../lib/monitor-types.ts';
import { Card } from '../../parts/page.tsx';
import { Facts, MonoLines } from '../../parts/sections.tsx';
import { inMilliseconds } from '../../parts/phases.tsx';
import { words } from '../../words/index.ts';
import { conditionsOf } from './rules.ts';

const { checked } = words.monitor;

const SECOND_MS = 1_000;

/** What is checked, when it counts as down, and who is notified. */
export function CheckedCard({ monitor }: { monitor: MonitorDetail }) {
  const { isAtLeast } = useSession();
  const { isPush } = faceOf(monitor.monitor_type);
  return (
    <Card
      title={checked.title}
      aside={
        isAtLeast('editor') && (
          <Link className="xs dim" href={`/monitors/${monitor.id}/edit`}>
            {words.common.edit}
          </Link>
        )
      }
    >
      <Facts
        rows={[
          ...(isPush ? pushRows(monitor) : pullRows(monitor)),
          [
            checked.dependsOn,
            monitor.depends_on.length === 0 ? null : (
              <Dependencies key="depends" ids={monitor.depends_on} />
            ),
          ],
          [
            words.labels.tags,
            monitor.tags.length === 0 ? null : (
              <span key="tags">
                {monitor.tags.map((tag, index) => (
                  <span key={tag}>
                    {index > 0 && ', '}
                    <Link href={`/monitors?tag=${encodeURIComponent(tag)}`}>{tag}</Link>
                  </span>
                ))}
              </span>
            ),
          ],
          ...notificationRows(monitor, isAtLeast('admin')),
        ]}
      />
    </Card>
  );
}

type Rows = (readonly [string, ReactNode])[];

function pullRows(monitor: MonitorDetail): Rows {
  const { monitor_type, http_method, accepted_status_codes, request_timeout } = monitor;
  const { slow_response_threshold, failure_threshold, recovery_threshold } = monitor;
  const { isWeb: isHttp } = faceOf(monitor_type);
  const timeout = duration(request_timeout * SECOND_MS);
  const conditions = conditionsOf(monitor, checked);
  return [
    isHttp
      ? [checked.request, checked.requestValue(http_method ?? 'GET', timeout)]
      : [checked.timeout, timeout],
    [checked.port, monitor.port],
    [
      checked.accepts,
      isHttp ? (accepted_status_codes?.join(', ') ?? checked.acceptsDefault) : null,
    ],
    [
      checked.content,
      conditions.length === 0 ? null : <MonoLines key="content" values={conditions} />,
    ],
    [checked.signIn, monitor.auth_type === null ? null : checked.signIns[monitor.auth_type]],
    [words.terms.redirects, isHttp && !monitor.follow_redirects ? checked.notFollowed : null],
    [
      checked.slow,
      slow_response_threshold === null ? null : inMilliseconds(slow_response_threshold),
    ],
    [checked.families, monitor.check_both_families ? checked.bothFamilies : null],
    [words.labels.regions, <RegionNames key="regions" codes={monitor.monitored_regions} />],
    [checked.downWhen, checked.badRounds(failure_threshold)],
    [checked.upWhen, recovery_threshold === 1 ? null : checked.goodRounds(recovery_threshold)],
  ];
}

function pushRows(monitor: MonitorDetail): Rows {
  const { heartbeat_cron_expression } = monitor;
  return [
    [checked.expectedEvery, length(monitor.heartbeat_interval)],
    [
      checked.schedule,
      heartbeat_cron_expression === null ? null : (
        <span key="schedule" className="mono">
          {heartbeat_cron_expression}
        </span>
      ),
    ],
    [words.labels.timezone, heartbeat_cron_expression === null ? null : monitor.heartbeat_timezone],
    [checked.grace, length(monitor.heartbeat_grace)],
    [checked.maxRuntime, length(monitor.heartbeat_max_runtime) ?? checked.noLimit],
  ];
}

function length(seconds: number | null): string | null {
  return seconds === null ? null : duration(seconds * SECOND_MS);
}

function RegionNames({ codes }: { codes: readonly string[] }) {
  const places = usePlaces();
  return places
    .of(codes)
    .map(({ name }) => name)
    .join(', ');
}

function Dependencies({ ids }: { ids: readonly number[] }) {
  const { overview } = useSummary(0);
  return (
    <span>
      {ids.map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link className="link" href={`/monitors/${id}`}>
            {overview?.monitors.find((monitor) => monitor.id === id)?.name ?? `#${id}`}
          </Link>
        </span>
      ))}
    </span>
  );
}

/** Limits of the monitor on who is notified. Admins see in a card of its own whom the routes lead to. */
function notificationRows(
  { notification_settings: settings }: MonitorDetail,
  mayEditRoutes: boolean,
): Rows {
  const routes = mayEditRoutes ? (
    <Link className="link" href="/alert-routes">
      {checked.byRoutes}
    </Link>
  ) : (
    checked.byRoutes
  );
  const kinds = Object.entries(settings?.channels ?? {})
    .filter(([, severities]) => severities !== null && severities !== undefined)
    .map(([kind, severities]) =>
      severities!.length === 0
        ? `${kind}: ${checked.nobody}`
        : `${kind}: ${severities!.join(', ')}`,
    );
  const quiet = settings?.quiet_hours;
  return [
    [
      checked.notifies,
      settings?.enabled === false ? (
        checked.nobody
      ) : kinds.length > 0 ? (
        <span key="notifies">
          {routes}, {checked.limited(kinds.join('; '))}
        </span>
      ) : mayEditRoutes ? null : (
        routes
      ),
    ],
    [
      words.terms.quietHours,
      quiet?.enabled !== false && quiet?.start && quiet.end
        ? checked.quietValue(quiet.start, quiet.end, quiet.timezone ?? 'UTC')
        : null,
    ],
  ];
}
