import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useSummary } from '../../app/overview.ts';
import { useNow } from '../../app/clock.ts';
import { useSession } from '../../app/session.tsx';
import type { MonitorDetail } from '../../client/types.gen.ts';
import type { Standing } from '../../lib/standing.ts';
import { Button, ButtonLink, IconButton } from '../../parts/button.tsx';
import { openMenu, type MenuItem } from '../../parts/menu.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { words } from '../../words/index.ts';
import { askToDelete, copy, pause, resume } from './actions.ts';
import { MaintenanceDialog } from './maintenance-dialog.tsx';
import { monitorName } from '../../lib/monitor-name.ts';
import { monitorStanding } from './standing.ts';

/** The sentence about a monitor of this standing. */
export function sentenceOf(name: string, standing: Standing): string {
  const sentences: Record<Standing, (name: string) => string> = {
    online: words.monitor.isUp,
    offline: words.monitor.isDown,
    degraded: words.monitor.isDegraded,
    paused: words.monitor.isPaused,
    maintenance: words.monitor.isInMaintenance,
    pending: words.monitor.isPending,
    unknown: words.monitor.isUnobserved,
  };
  return sentences[standing](name);
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
}): ReactNode {
  const { isAtLeast } = useSession();
  const now = useNow(15_000);
  const { summary, overview } = useSummary(monitor.id);
  const [isPlanning, setPlanning] = useState(false);
  const standing = monitorStanding(monitor, summary, now);
  const name = monitorName(monitor);
  const group = overview?.groups.find(({ id }) => id === monitor.group_id);
  return (
    <>
      <PageHead
        crumbs={[
          { text: words.nav.monitors, href: '/monitors' },
          ...(group ? [{ text: group.name, href: `/monitors?group=${group.id}` }] : []),
        ]}
        standing={standing}
        title={
          standing === 'unknown'
            ? sentenceOf(name, standing)
            : (title ?? sentenceOf(name, standing))
        }
        tabTitle={sentenceOf(name, standing)}
        text={text}
        actions={
          <>
            {action}
            {isAtLeast('editor') && (
              <>
                {monitor.is_paused ? (
                  <Button icon="play" onClick={() => void resume(monitor)}>
                    {words.monitor.resume}
                  </Button>
                ) : (
                  <Button icon="pause" onClick={() => void pause(monitor)}>
                    {words.monitor.pause}
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
}): ReactNode {
  const [, navigate] = useLocation();
  const { isAtLeast } = useSession();
  const { id, ping_url, url } = monitor;
  const changes: (MenuItem | 'line')[] = [
    {
      text: words.monitor.duplicate,
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
  const label = words.common.actionsFor(monitorName(monitor));
  return (
    <IconButton
      icon="more"
      label={label}
      aria-haspopup="menu"
      onClick={({ currentTarget }) =>
        openMenu({ label, anchor: currentTarget, items: itemsHere() })
      }
    />
  );
}
