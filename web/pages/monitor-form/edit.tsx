import { useState, type ReactNode } from 'react';
import { useLocation, useParams } from 'wouter';
import { queries, useChange, useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { getMonitor, updateMonitor } from '../../client/sdk.gen.ts';
import type { MonitorDetail, MonitorSettings } from '../../client/types.gen.ts';
import { monitorName } from '../../lib/monitor-name.ts';
import { Empty, Failure, Waiting } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { say } from '../../parts/toast.tsx';
import { NeedsRole } from '../../parts/needs-role.tsx';
import { words } from '../../words/index.ts';
import { draftOf } from './draft.ts';
import { MonitorForm } from './monitor-form.tsx';

/** Settings of a monitor. */
export default function EditMonitorPage(): ReactNode {
  const id = Number(useParams<{ id: string }>().id);
  const read = useRead(['monitor', id], () => getMonitor({ path: { id } }));
  if (read.error && (read.data === undefined || read.error.status === 404))
    return <Failure error={read.error} retry={() => void read.refetch()} />;
  if (read.data === undefined) return <Waiting lines={8} />;
  return <Edit key={id} monitor={read.data} />;
}

/** The form keeps what is typed when the stream brings newer settings. */
function Edit({ monitor }: { monitor: MonitorDetail }): ReactNode {
  const { id } = monitor;
  const { zone, isAtLeast } = useSession();
  const [, navigate] = useLocation();
  const [initial] = useState(() => draftOf(monitor, zone));
  const name = monitorName(monitor);
  const change = useChange(
    (body: MonitorSettings) => updateMonitor({ path: { id }, body }),
    ['monitors', 'groups'],
  );
  return (
    <>
      <PageHead
        title={words.monitorForm.editTitle(name)}
        crumbs={[
          { text: words.monitors.title, href: '/monitors' },
          { text: name, href: `/monitors/${id}` },
          { text: words.common.edit },
        ]}
      />
      {isAtLeast('editor') ? (
        <MonitorForm
          initial={initial}
          id={id}
          onCancel={() => navigate(`/monitors/${id}`)}
          onSave={async (settings) => {
            await change.mutateAsync(settings);
            await queries.invalidateQueries({ queryKey: ['monitor', id] });
            say(words.monitorForm.saved(name));
            navigate(`/monitors/${id}`);
          }}
        />
      ) : (
        <Empty title={words.monitorForm.notAllowed} text={<NeedsRole least="editor" />} />
      )}
    </>
  );
}
