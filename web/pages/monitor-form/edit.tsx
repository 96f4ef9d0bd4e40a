import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { reread, useRead } from '../../app/api.ts';
import { call, type MonitorDetail } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { monitorName } from '../../lib/monitor-name.ts';
import { KeptGate, KeptMark } from '../../parts/kept.tsx';
import { Empty, isLoaded, Loading, NeedsRole, PageHead } from '../../parts/page.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { draftOf } from './draft.ts';
import { MonitorForm } from './monitor-form.tsx';

export default function EditMonitorPage() {
  const id = Number(useParams<{ id: string }>().id);
  const read = useRead('getMonitor', { path: { id } });
  if (!isLoaded(read)) return <Loading reads={[read]} lines={8} />;
  return <Edit key={id} monitor={read.data} />;
}

/** The form keeps what is typed when the stream brings newer settings. */
function Edit({ monitor }: { monitor: MonitorDetail }) {
  const { id } = monitor;
  const { zone, isAtLeast } = useSession();
  const [, navigate] = useLocation();
  const [initial] = useState(() => draftOf(monitor, zone));
  const name = monitorName(monitor);
  const leave = () => navigate(`/monitors/${id}`);
  return (
    <>
      <PageHead
        title={words.labels.editNamed(name)}
        mark={<KeptMark section="monitors" id={id} />}
        crumbs={[
          { text: words.nav.monitors, href: '/monitors' },
          { text: name, href: `/monitors/${id}` },
          { text: words.common.edit },
        ]}
      />
      {isAtLeast('editor') ? (
        <KeptGate section="monitors" id={id} onCancel={leave}>
          <MonitorForm
            initial={initial}
            id={id}
            onCancel={leave}
            onSave={async (body) => {
              const saved = await call('updateMonitor', { path: { id }, body });
              await reread('monitors', 'groups', ['monitor', id]);
              showToast(words.dialog.saved(monitorName(saved)));
              leave();
            }}
          />
        </KeptGate>
      ) : (
        <Empty title={words.monitorForm.notAllowed} text={<NeedsRole least="editor" />} />
      )}
    </>
  );
}
