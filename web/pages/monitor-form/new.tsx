import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { reread, useRead } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { monitorName } from '../../lib/monitor-name.ts';
import { TYPE_NAMES } from '../../lib/monitor-types.ts';
import { Empty, Loading, NeedsRole, PageHead } from '../../parts/page.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { copyOf, draftOf, emptyDraft, type Draft } from './draft.ts';
import { MonitorForm } from './monitor-form.tsx';

/** New monitor, empty, with `?type=` and `?url=` filled in, or with the settings of another one: `?from=ID`. */
export default function NewMonitorPage() {
  const { isAtLeast, zone, plan } = useSession();
  const query = new URLSearchParams(useSearch());
  const from = Number(query.get('from')) || null;
  const source = useRead('getMonitor', { path: { id: from ?? 0 } }, { enabled: from !== null });
  const max = plan?.limits.max_monitors ?? null;
  const isFull = max !== null && plan !== null && plan.usage.monitors >= max;
  if (!isAtLeast('editor')) {
    return (
      <>
        <Head />
        <Empty title={words.monitorForm.notAllowed} text={<NeedsRole least="editor" />} />
      </>
    );
  }
  if (from !== null && source.data === undefined) return <Loading reads={[source]} lines={8} />;
  const initial =
    source.data === undefined
      ? prefilled(query, zone)
      : copyOf(draftOf(source.data, zone), words.monitorForm.copyName(monitorName(source.data)));
  return (
    <>
      <Head />
      {isFull && <p className="notice below">{words.monitorForm.planFull(plan.name, max)}</p>}
      <Create initial={initial} />
    </>
  );
}

function Head() {
  return (
    <PageHead
      title={words.nav.newMonitor}
      crumbs={[{ text: words.nav.monitors, href: '/monitors' }, { text: words.nav.newMonitor }]}
    />
  );
}

function prefilled(query: URLSearchParams, zone: string): Draft {
  const type = TYPE_NAMES.find((one) => one === query.get('type')) ?? 'http';
  return {
    ...emptyDraft(type, zone),
    url: query.get('url') ?? '',
    port: query.get('port') ?? '',
    friendly_name: query.get('name') ?? '',
  };
}

function Create({ initial }: { initial: Draft }) {
  const [, navigate] = useLocation();
  const [first] = useState(initial);
  return (
    <MonitorForm
      initial={first}
      id={null}
      onCancel={() => navigate('/monitors')}
      onSave={async (body) => {
        const made = await call('createMonitor', { body });
        await reread('monitors', 'plan', 'groups');
        showToast(words.monitorForm.created(monitorName(made)));
        navigate(`/monitors/${made.id}`);
      }}
    />
  );
}
