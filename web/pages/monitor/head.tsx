import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { call, type MonitorDetail } from '../../app/client.ts';
import { useNow } from '../../app/clock.ts';
import { useSummary } from '../../app/overview.ts';
import { useSession } from '../../app/session.ts';
import type { DisplayStatus } from '../../lib/display-status.ts';
import { dayAndTime, duration } from '../../lib/format.ts';
import { monitorName } from '../../lib/monitor-name.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Choose, Input, useForm } from '../../parts/form.tsx';
import { MoreMenu, type MenuItem } from '../../parts/menu.tsx';
import { PageHead } from '../../parts/page.tsx';
import { at } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { askToDelete, copy, pause, readAgain, resume } from './actions.ts';
import { monitorDisplayStatus } from './display-status.ts';

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
export function MonitorHead({
  monitor,
  title,
  text,
  action,
}: {
  monitor: MonitorDetail;
  /** Sentence in place of the one about its status. */
  title?: ReactNode;
  text: ReactNode;
  /** First button. */
  action: ReactNode;
}) {
  const { isAtLeast } = useSession();
  const now = useNow(15_000);
  const { summary, overview } = useSummary(monitor.id);
  const [isPlanning, setPlanning] = useState(false);
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
            <MoreButton monitor={monitor} onMaintenance={() => setPlanning(true)} />
          </>
        }
      />
      {isPlanning && <MaintenanceDialog monitor={monitor} onClose={() => setPlanning(false)} />}
    </>
  );
}

function MoreButton({
  monitor,
  onMaintenance,
}: {
  monitor: MonitorDetail;
  onMaintenance: () => void;
}) {
  const [, navigate] = useLocation();
  const { isAtLeast } = useSession();
  const { id, ping_url, url } = monitor;
  const changes: (MenuItem | 'line')[] = [
    {
      text: words.labels.duplicate,
      icon: 'plus',
      onSelect: () => navigate(`/monitors/new?from=${id}`),
    },
    { text: words.monitor.startMaintenance, icon: 'maintenance', onSelect: onMaintenance },
    'line',
    {
      text: words.monitor.deleteIt,
      icon: 'trash',
      isDanger: true,
      onSelect: () => askToDelete(monitor, () => navigate('/monitors')),
    },
  ];
  const items: (MenuItem | 'line')[] = [
    ...(ping_url === null
      ? [
          {
            text: words.monitor.copyUrl,
            icon: 'copy' as const,
            onSelect: () => void copy(url),
          },
        ]
      : []),
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
    isAtLeast('editor') && matchMedia('(max-width: 800px)').matches ? [edit, ...items] : items;
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
    const until = dayAndTime(at(active_until ?? ends_at), Date.now(), zone, words.time);
    showToast(texts.maintenanceStarted(until));
  };
  return (
    <FormDialog
      title={texts.maintenanceTitle}
      text={texts.maintenanceText}
      {...form}
      submit={texts.maintenanceStart}
      onSubmit={start}
      onClose={onClose}
    >
      <div className="gap mo-fields">
        <Choose
          name="minutes"
          label={texts.maintenanceLength}
          options={MINUTES.map((value) => ({
            value,
            text: duration(Number(value) * 60_000, words.time),
          }))}
        />
        <Input name="name" label={words.labels.name} hint={texts.maintenanceNameHint} />
      </div>
    </FormDialog>
  );
}
