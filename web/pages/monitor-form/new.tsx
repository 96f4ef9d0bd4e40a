import { useState, type ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useChange, useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { createMonitor, getMonitor } from '../../client/sdk.gen.ts';
import type { MonitorSettings } from '../../client/types.gen.ts';
import { monitorName } from '../../lib/monitor-name.ts';
import { Empty, Failure, Waiting } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { say } from '../../parts/toast.tsx';
import { NeedsRole } from '../../parts/needs-role.tsx';
import { words } from '../../words/index.ts';
import { copyOf, draftOf, emptyDraft, type Draft, type MonitorType } from './draft.ts';
import { MonitorForm } from './monitor-form.tsx';

const TYPES: readonly MonitorType[] = ['http', 'ping', 'port', 'heartbeat', 'cron'];

/** New monitor, empty, with `?type=` and `?url=` filled in, or with the settings of another one: `?from=ID`. */
export default function NewMonitorPage(): ReactNode {
  const { isAtLeast, zone, plan } = useSession();
  const query = new URLSearchParams(useSearch());
  const from = Number(query.get('from')) || null;
  const source = useRead(['monitor', from], () => getMonitor({ path: { id: from ?? 0 } }), {
    enabled: from !== null,
  });
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
  if (from !== null && source.data === undefined)
    return source.error ? <Failure error={source.error} /> : <Waiting lines={8} />;
  const initial =
    source.data === undefined
      ? prefilled(query, zone)
      : copyOf(draftOf(source.data, zone), words.monitorForm.copyName(monitorName(source.data)));
  return (
    <>
      <Head />
      {isFull && <p className="notice mf-full">{words.monitorForm.planFull(plan.name, max)}</p>}
      <Create initial={initial} />
    </>
  );
}

function Head(): ReactNode {
  return (
    <PageHead
      title={words.monitorForm.title}
      crumbs={[
        { text: words.monitors.title, href: '/monitors' },
        { text: words.monitorForm.title },
      ]}
    />
  );
}

function prefilled(query: URLSearchParams, zone: string): Draft {
  const type = TYPES.find((one) => one === query.get('type')) ?? 'http';
  return {
    ...emptyDraft(type, zone),
    url: query.get('url') ?? '',
    port: query.get('port') ?? '',
    name: query.get('name') ?? '',
  };
}

function Create({ initial }: { initial: Draft }): ReactNode {
  const [, navigate] = useLocation();
  const [first] = useState(initial);
  const create = useChange(
    (body: MonitorSettings) => createMonitor({ body }),
    ['monitors', 'plan', 'groups'],
  );
  return (
    <MonitorForm
      initial={first}
      id={null}
      onCancel={() => navigate('/monitors')}
      onSave={async (settings) => {
        const made = await create.mutateAsync(settings);
        say(words.monitorForm.created(monitorName(made)));
        navigate(`/monitors/${made.id}`);
      }}
    />
  );
}
