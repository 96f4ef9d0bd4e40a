import { useMemo, type ReactNode } from 'react';
import { useLocation, useParams } from 'wouter';
import { ask, queries, useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { getMaintenanceWindow, updateMaintenanceWindow } from '../../client/sdk.gen.ts';
import type { MaintenanceWindow } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Failure, Waiting } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { askToDelete, askToEnd } from './actions.tsx';
import { bodyOf, draftOf, type WindowDraft } from './draft.ts';
import { WindowForm } from './form.tsx';
import { WindowFacts } from './facts.tsx';

/** A maintenance window: is it active, and what does it cover? */
export default function MaintenanceWindowPage(): ReactNode {
  const id = Number(useParams().id);
  const read = useRead(['maintenance-windows', id], () => getMaintenanceWindow({ path: { id } }));
  if (read.error) return <Failure error={read.error} retry={() => void read.refetch()} />;
  if (read.data === undefined) return <Waiting lines={6} />;
  return <Window window={read.data} />;
}

function Window({ window }: { window: MaintenanceWindow }): ReactNode {
  const { isAtLeast } = useSession();
  const [, navigate] = useLocation();
  const { id, name, status, updated_at: version } = window;
  const initial = useMemo(() => draftOf(window), [window]);
  const { maintenance } = words;
  const mayChange = isAtLeast('editor');
  const save = async (draft: WindowDraft) => {
    const saved = await ask(
      updateMaintenanceWindow({ path: { id }, body: bodyOf(draft, initial) }),
    );
    await queries.invalidateQueries({ queryKey: ['maintenance-windows'] });
    say(maintenance.saved(saved.name));
  };
  const titles = {
    active: maintenance.isActive,
    scheduled: maintenance.isScheduled,
    over: maintenance.isOver,
  };
  return (
    <>
      <PageHead
        crumbs={[{ text: maintenance.title, href: '/maintenance' }, { text: name }]}
        {...(status === 'active' && { standing: 'maintenance' as const })}
        title={titles[status](name)}
        tabTitle={name}
        text={<WindowFacts window={window} />}
        actions={
          mayChange && (
            <>
              {status === 'active' && (
                <Button onClick={() => askToEnd(window)}>{maintenance.end}</Button>
              )}
              <Button
                look="danger"
                onClick={() => askToDelete(window, () => navigate('/maintenance'))}
              >
                {words.common.delete}
              </Button>
            </>
          )
        }
      />
      {mayChange && (
        <Card className="narrow">
          <WindowForm
            key={version}
            initial={initial}
            submit={maintenance.save}
            onSubmit={save}
            onCancel={() => navigate('/maintenance')}
          />
        </Card>
      )}
    </>
  );
}
