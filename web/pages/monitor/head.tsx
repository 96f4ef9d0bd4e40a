import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import {
  call,
  type Incident,
  type MonitorDetail,
  type MonitorOverview,
  type OverviewMonitor,
} from '../../app/client.ts';
import { useNow } from '../../app/clock.ts';
import { useSummary } from '../../app/overview.ts';
import { useSession } from '../../app/session.ts';
import type { DisplayStatus } from '../../lib/display-status.ts';
import { dayAndTime, duration } from '../../lib/format.ts';
import { monitorName } from '../../lib/monitor-name.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Choose, Input, useForm } from '../../parts/form.tsx';
import { KeptMark } from '../../parts/kept.tsx';
import { DELETE, MoreMenu, type MenuItem, type MenuRequest } from '../../parts/menu.tsx';
import { PageHead } from '../../parts/page.tsx';
import { at, DayTime } from '../../parts/time.tsx';
import { attempt, showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { monitorDisplayStatus, openIncidents } from './rules.ts';
import { deleteShown, reread } from '../../app/api.ts';
import { faceOf } from '../../lib/monitor-types.ts';
import { copyText } from '../../parts/copy.tsx';
import { confirm, openDialog } from '../../parts/dialog.tsx';
import { usePlaces } from '../../app/regions.ts';
import { Cause } from '../../parts/cause.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { votesNow } from '../monitors/rows.ts';
import { lastSeen, whoSees } from '../monitors/sentences.ts';
import { whoHasIt } from '../../lib/who-has-it.ts';

/** The sentence about a monitor of this displayStatus. */
export function sentenceOf(name: string, displayStatus: DisplayStatus): string {
  const sentences: Record<DisplayStatus, (name: string) => string> = {
    online: words.monitor.isUp,
    offline: words.monitor.isDown,
    degraded: words.monitor.isDegraded,
    paused: words.monitor.isPaused,
    maintenance: words.monitor.isInMaintenance,
    pending: words.monitor.isPending,
    unknown: words.monitor.isUnobserved,
  };
  return sentences[displayStatus](name);
}

/** Head of the page of a monitor: how it is, and what can be done. */
export function MonitorHead(props: {
  monitor: MonitorDetail;
  /** Sentence in place of the one about its status. */
  title?: ReactNode;
  text: ReactNode;
  /** First button. */
  action: ReactNode;
}) {
  const { monitor, title, text, action } = props;
  const { isAtLeast } = useSession();
  const now = useNow(15_000);
  const { summary, overview } = useSummary(monitor.id);
  const displayStatus = monitorDisplayStatus(monitor, summary, now);
  const name = monitorName(monitor);
  const group = overview?.groups.find(({ id }) => id === monitor.group_id);
  return (
    <>
      <PageHead
        crumbs={[
          { text: words.nav.monitors, href: '/monitors' },
          ...(group ? [{ text: group.name, href: `/monitors?group=${group.id}` }] : []),
        ]}
        displayStatus={displayStatus}
        title={
          displayStatus === 'unknown'
            ? sentenceOf(name, displayStatus)
            : (title ?? sentenceOf(name, displayStatus))
        }
        tabTitle={sentenceOf(name, displayStatus)}
        text={text}
        mark={<KeptMark section="monitors" id={monitor.id} />}
        actions={
          <>
            {action}
            {isAtLeast('editor') && (
              <>
                {monitor.is_paused ? (
                  <Button icon="play" onClick={() => void resume(monitor)}>
                    {words.labels.resume}
                  </Button>
                ) : (
                  <Button icon="pause" onClick={() => void pause(monitor)}>
                    {words.labels.pause}
                  </Button>
                )}
                <ButtonLink isOnlyWide href={`/monitors/${monitor.id}/edit`}>
                  {words.common.edit}
                </ButtonLink>
              </>
            )}
            <MoreButton monitor={monitor} />
          </>
        }
      />
    </>
  );
}

function MoreButton({ monitor }: { monitor: MonitorDetail }) {
  const [, navigate] = useLocation();
  const { isAtLeast } = useSession();
  const { id, ping_url, url } = monitor;
  const changes: MenuRequest['items'] = [
    {
      text: words.labels.duplicate,
      icon: 'plus',
      onSelect: () => navigate(`/monitors/new?from=${id}`),
    },
    {
      text: words.monitor.startMaintenance,
      icon: 'maintenance',
      onSelect: () =>
        openDialog((onClose) => <MaintenanceDialog monitor={monitor} onClose={onClose} />),
    },
    'line',
    {
      ...DELETE,
      text: words.monitor.deleteIt,
      onSelect: () => askToDelete(monitor, () => navigate('/monitors')),
    },
  ];
  const items: MenuRequest['items'] = [
    ping_url === null && {
      text: words.monitor.copyUrl,
      icon: 'copy',
      onSelect: () => void copy(url),
    },
    { text: words.monitor.copyId, icon: 'copy', onSelect: () => void copy(String(id)) },
    ...(isAtLeast('editor') ? changes : []),
  ];
  const edit: MenuItem = {
    text: words.common.edit,
    icon: 'edit',
    onSelect: () => navigate(`/monitors/${id}/edit`),
  };
  /** On a narrow page the menu has what is a button on a wide one. */
  const itemsHere = () =>
    isAtLeast('editor') && matchMedia('(max-width: 640px)').matches ? [edit, ...items] : items;
  return <MoreMenu label={words.common.actionsFor(monitorName(monitor))} items={itemsHere} />;
}

/** Longest name of a window that the API takes. */
const NAME_LENGTH = 100;
const MINUTES = ['15', '30', '60', '120', '240', '480', '1440'];

/** Starts maintenance of a monitor from now on. */
function MaintenanceDialog({ monitor, onClose }: { monitor: MonitorDetail; onClose: () => void }) {
  const { zone } = useSession();
  const { monitor: texts } = words;
  const { draft, form } = useForm(null, {
    minutes: '60',
    name: texts.maintenanceDefault(monitorName(monitor)).slice(0, NAME_LENGTH),
  });
  const start = async () => {
    const body = { name: draft.name, minutes: Number(draft.minutes), monitors: [monitor.id] };
    const { active_until, ends_at } = await call('startMaintenance', { body });
    await readAgain();
    const until = dayAndTime(at(active_until ?? ends_at), Date.now(), zone);
    showToast(texts.maintenanceStarted(until));
  };
  return (
    <FormDialog
      title={texts.maintenanceTitle}
      text={texts.maintenanceText}
      {...form}
      submit={words.terms.startMaintenance}
      onSubmit={start}
      onClose={onClose}
    >
      <div className="gap dialog-fields">
        <Choose
          name="minutes"
          label={words.terms.howLong}
          options={MINUTES.map((value) => ({
            value,
            text: duration(Number(value) * 60_000),
          }))}
        />
        <Input name="name" label={words.labels.name} hint={texts.maintenanceNameHint} />
      </div>
    </FormDialog>
  );
}

/** Reads again what a change of a monitor concerns. */
export async function readAgain(): Promise<void> {
  await reread('monitor', 'monitors', 'incidents');
}

/** Pauses a monitor, with a way back. */
const pause = (monitor: MonitorDetail) =>
  attempt(async () => {
    await call('pauseMonitor', { path: { id: monitor.id } });
    await readAgain();
    showToast(words.monitor.paused(monitorName(monitor)), () => void resume(monitor));
  });

/** Has a paused monitor checked again. */
const resume = (monitor: MonitorDetail) =>
  attempt(async () => {
    await call('resumeMonitor', { path: { id: monitor.id } });
    await readAgain();
    return words.monitor.resumed(monitorName(monitor));
  });

/** Copies a text and says so. */
export async function copy(text: string, shown = text): Promise<void> {
  const isDone = await copyText(text);
  showToast(isDone ? words.monitor.copiedText(shown) : words.monitor.notCopied);
}

/** Asks, then deletes a monitor. `leave` is called when it is gone. */
function askToDelete(monitor: MonitorDetail, leave: () => void): void {
  const { id, monitor_type } = monitor;
  const { isPush } = faceOf(monitor_type);
  confirm({
    title: words.dialog.deleteTitle(monitorName(monitor)),
    text: isPush ? words.monitor.deletePushText : words.monitor.deleteText,
    action: words.common.delete,
    onConfirm: async () => {
      await deleteShown(['monitor', id], () => call('deleteMonitor', { path: { id } }));
      leave();
      await reread('monitors');
      showToast(words.dialog.deleted(monitorName(monitor)));
    },
  });
}

/** The open incident, and maintenance, before everything else. */
export function Banners({ monitor }: { monitor: MonitorDetail }) {
  const now = useNow(15_000);
  const { summary, overview } = useSummary(monitor.id);
  const [worst, ...others] = openIncidents(monitor);
  const until = (summary?.maintenance_until ?? 0) * 1_000;
  return (
    <>
      {until > now && (
        <div className="banner mo-maint">
          <StatusShape displayStatus="maintenance" />
          <div>
            <div className="b">{words.monitor.inMaintenance}</div>
            <div className="xs dim">
              {words.labels.until} <DayTime time={until} />
            </div>
          </div>
          <div className="acts">
            <ButtonLink look="ghost" href="/maintenance">
              {words.monitor.seeWindows}
            </ButtonLink>
          </div>
        </div>
      )}
      {summary?.observed_until !== undefined && (
        <div className="banner mo-unseen">
          <StatusShape displayStatus="unknown" />
          <div>
            <div className="b">{words.monitor.nothingObserved}</div>
            <div className="xs dim">{lastSeen(summary, now)}</div>
          </div>
        </div>
      )}
      {worst && <OpenIncident incident={worst} more={others.length} {...{ summary, overview }} />}
    </>
  );
}

function OpenIncident(props: {
  incident: Incident;
  summary: OverviewMonitor | undefined;
  overview: MonitorOverview | undefined;
  /** Number of further open incidents. */
  more: number;
}) {
  const { incident, summary, overview, more } = props;
  const { isAtLeast } = useSession();
  const isAcknowledged = incident.acknowledged_at !== null;
  const views = usePlaces().views(summary && votesNow(summary), overview?.regions ?? []);
  const isCritical = incident.severity === 'critical';
  return (
    <div className={isCritical ? 'banner' : 'banner quiet'}>
      <StatusShape displayStatus={isCritical ? 'offline' : 'degraded'} />
      <div className="wrap">
        <Link className="b" href={`/incidents/${incident.id}`}>
          {incident.root_cause === null ? (
            words.monitor.unknownCause
          ) : (
            <Cause>{incident.root_cause}</Cause>
          )}
        </Link>
        <div className="xs dim">
          {whoSees(views) !== '' && `${whoSees(views)} · `}
          {words.labels.since} <DayTime time={incident.started_at} />
          {' · '}
          {isAcknowledged
            ? words.monitor.hasIt(whoHasIt(summary?.incident))
            : words.monitor.nobodyAcknowledged}
          {more > 0 && ` · ${words.monitor.moreIncidents(more)}`}
        </div>
      </div>
      <div className="acts">
        {!isAcknowledged && isAtLeast('editor') && (
          <Button
            onClick={({ currentTarget }) => {
              // The button goes away when somebody is on it.
              currentTarget.closest('.banner')?.querySelector('a')?.focus();
              void acknowledge(incident.id);
            }}
          >
            {words.labels.acknowledge}
          </Button>
        )}
        <ButtonLink look="ghost" href={`/incidents/${incident.id}`}>
          {words.monitor.openIncident}
        </ButtonLink>
      </div>
    </div>
  );
}

function acknowledge(id: number): Promise<void> {
  return attempt(async () => {
    await call('acknowledgeIncident', { path: { id } });
    await readAgain();
    return words.monitor.acknowledged;
  });
}
