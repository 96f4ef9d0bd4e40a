import { useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { deleteShown, reread } from '../../app/api.ts';
import { ApiError, call, type IncidentDetail, type MonitorDetail } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { monitorName } from '../../lib/monitor-name.ts';
import { Button } from '../../parts/button.tsx';
import { confirm, openDialog } from '../../parts/dialog.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { TextArea, useForm } from '../../parts/form.tsx';
import { DELETE, MoreMenu, type MenuRequest } from '../../parts/menu.tsx';
import { reclassify } from '../../parts/reclassify.tsx';
import { showToast, useAct } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { useLastObserved } from '../../app/overview.ts';
import { displayStatusOf } from '../../lib/display-status.ts';
import { duration } from '../../lib/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { DayTime, OpenFor, RelativeTime } from '../../parts/time.tsx';
import { StatusShape } from '../../parts/status.tsx';

/** Nouns of the data that a change of an incident concerns. */
const CONCERNED = ['incident', 'incidents', 'monitors', 'monitor'];

/** Types that are no status of the monitor: no time counts as down because of them. */
const NO_STATUS: ReadonlySet<IncidentDetail['type']> = new Set(['error_budget', 'manual']);

/** What people do with an incident: take it, end it, and what is rarer in a menu. */
export function Actions(props: {
  incident: IncidentDetail;
  /** Whether the monitor is down or degraded now. */
  isStillBad: boolean;
}) {
  const { incident, isStillBad } = props;
  const { isAtLeast } = useSession();
  const { acknowledge, resolve, reopen } = useActions(incident, isStillBad);
  const remove = useRemove(incident);
  const more = useRef<HTMLButtonElement>(null);
  if (!isAtLeast('editor')) return null;
  const isOpen = incident.status === 'open';
  // The pressed button goes away: without this the focus would be lost.
  const withFocus = (action: () => void) => () => {
    more.current?.focus();
    action();
  };
  const items = (): MenuRequest['items'] => [
    {
      text: words.incident.editCause,
      icon: 'edit',
      onSelect: () => openDialog((onClose) => <EditCause incident={incident} onClose={onClose} />),
    },
    !isOpen && { text: words.incident.reopen, icon: 'refresh', onSelect: reopen.run },
    'line',
    { ...DELETE, onSelect: remove },
  ];
  return (
    <>
      {isOpen && incident.acknowledged_at === null && (
        <Button
          look="primary"
          icon="check"
          isDisabled={acknowledge.isBusy}
          onClick={withFocus(acknowledge.run)}
        >
          {words.labels.acknowledge}
        </Button>
      )}
      {!isOpen && !NO_STATUS.has(incident.type) && incident.counted_as === null && (
        <Button
          onClick={withFocus(() =>
            reclassify({
              monitorId: incident.monitor_id,
              monitor: monitorName(incident.monitor),
              from: incident.started_at,
              to: incident.ended_at,
            }),
          )}
        >
          {words.corrections.falseAlarm}
        </Button>
      )}
      {isOpen && (
        <Button isDisabled={resolve.isBusy} onClick={withFocus(resolve.run)}>
          {words.incident.resolve}
        </Button>
      )}
      <MoreMenu ref={more} label={words.incident.moreActions} items={items} />
    </>
  );
}

function useActions(incident: IncidentDetail, isStillBad: boolean) {
  const path = { id: incident.id };
  const change = async (sent: Promise<unknown>) => {
    try {
      await sent;
      await reread(...CONCERNED);
    } catch (error) {
      // The page may be old.
      if (error instanceof ApiError && (error.status === 404 || error.status === 409))
        void reread(['incident', incident.id]);
      throw error;
    }
  };
  const take = () => change(call('acknowledgeIncident', { path }));
  const acknowledge = useAct(async () => {
    await take();
    return words.incident.acknowledged;
  });
  const reopen = useAct(async () => {
    await change(call('updateIncident', { path, body: { status: 'open' } }));
    return words.incident.reopened;
  });
  const end = async () => {
    await change(call('resolveIncident', { path }));
    showToast(words.incident.resolved, () => void reopen.run());
  };
  const resolve = useAct(end);
  const ask = () =>
    confirm({
      title: words.incident.stillFails(monitorName(incident.monitor)),
      text: words.incident.stillFailsText,
      instead: {
        action: words.incident.resolveOnRecovery,
        onChoose: async () => {
          if (incident.acknowledged_at === null) await take();
          showToast(words.incident.resolvesOnRecovery);
        },
      },
      action: words.incident.resolveNow,
      onConfirm: end,
    });
  const isAsked = isStillBad && !NO_STATUS.has(incident.type);
  return { acknowledge, resolve: isAsked ? { ...resolve, run: ask } : resolve, reopen };
}

/** Asks, then deletes the incident and goes back to the list. One that is deleted already is as good. */
function useRemove(incident: IncidentDetail): () => void {
  const [, navigate] = useLocation();
  const { id } = incident;
  return () =>
    confirm({
      title: words.incident.deleteTitle(incident.id),
      text: words.incident.deleteText(monitorName(incident.monitor)),
      action: words.common.delete,
      onConfirm: async () => {
        await deleteShown(['incident', id], () => call('deleteIncident', { path: { id } })).catch(
          (error: ApiError) => {
            if (error.status !== 404) throw error;
          },
        );
        navigate('/incidents', { replace: true });
        showToast(words.incident.deleted);
        await reread('incidents', 'monitors', 'monitor');
      },
    });
}

/** Dialog with the sentence that says what is wrong. */
function EditCause({ incident, onClose }: { incident: IncidentDetail; onClose: () => void }) {
  const { draft, form } = useForm(null, { root_cause: incident.root_cause ?? '' });
  const save = async () => {
    const cause = draft.root_cause.trim();
    const body = { root_cause: cause === '' ? null : cause };
    await call('updateIncident', { path: { id: incident.id }, body });
    await reread(...CONCERNED);
    showToast(words.incident.saved);
  };
  return (
    <FormDialog title={words.incident.editCause} {...form} onSubmit={save} onClose={onClose}>
      <div className="fieldset">
        <TextArea name="root_cause" label={words.incidents.cause} hint={words.incident.causeHint} />
      </div>
    </FormDialog>
  );
}

/** State, severity, since when, the monitor; then who is on it, and how the monitor is now. */
export function Meta(props: { incident: IncidentDetail; monitor: MonitorDetail | undefined }) {
  const { incident, monitor } = props;
  return (
    <>
      <div className="row sm dim meta">
        <State incident={incident} />
        <span>{words.severities[incident.severity]}</span>
        <Dot />
        {incident.counted_as !== null && (
          <>
            <Link className="link" href={`/monitors/${incident.monitor_id}#corrections`}>
              {words.corrections.counted(words.corrections.as[incident.counted_as])}
            </Link>
            <Dot />
          </>
        )}
        <span>
          {words.incident.since} <DayTime time={incident.started_at} withSeconds />
        </span>
        <Dot />
        <Link className="link wrap" href={`/monitors/${incident.monitor_id}`}>
          {monitorName(incident.monitor)}
        </Link>
      </div>
      {incident.status === 'open' && (
        <p className="row inc-who">
          <span>
            <Who incident={incident} />
          </span>
          {/* Its line is there before the monitor is read. */}
          {monitor === undefined ? (
            <span className="near inc-now">{'\u00a0'}</span>
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
          {words.incidents.statuses.open} · <OpenFor incident={incident} />
        </span>
      </span>
    );
  }
  const lasted = duration((incident.duration_seconds ?? 0) * 1_000);
  return (
    <span className="pill">
      <Icon name="check" />
      {words.incident.resolvedAfter(lasted)}
      {(incident.unobserved_seconds ?? 0) > 0 &&
        ` · ${words.incident.notObservedFor(duration(incident.unobserved_seconds! * 1_000))}`}
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
      <b className="b">{text.onIt(takenBy(incident))}</b>, {words.labels.since}{' '}
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
    <span className="near inc-now">
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
