import { useMemo } from 'react';
import { useLocation, useParams } from 'wouter';
import { useRead } from '../../app/api.ts';
import { type MaintenanceWindow } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { KeptGate, KeptMark } from '../../parts/kept.tsx';
import { Card, isLoaded, Loading, PageHead } from '../../parts/page.tsx';
import { words } from '../../words/index.ts';
import { askToEnd, windowCollection, WindowFacts } from './actions.tsx';
import { bodyOf, draftOf } from './draft.ts';
import { WindowForm } from './form.tsx';

/** A maintenance window: is it active, and what does it cover? */
export default function MaintenanceWindowPage() {
  const id = Number(useParams().id);
  const read = useRead('getMaintenanceWindow', { path: { id } });
  return isLoaded(read) ? <Window window={read.data} /> : <Loading reads={[read]} lines={6} />;
}

function Window({ window }: { window: MaintenanceWindow }) {
  const mayChange = useSession().isAtLeast('editor');
  const [, navigate] = useLocation();
  const { id, name, status } = window;
  const initial = useMemo(() => draftOf(window), [window]);
  const { maintenance } = words;
  const leave = () => navigate('/maintenance');
  const titles = {
    active: maintenance.isActive,
    scheduled: maintenance.isScheduled,
    over: maintenance.isOver,
  };
  const askToDelete = () =>
    windowCollection.askToDelete(window, {
      text: (
        <>
          {status === 'active' && <p>{maintenance.deleteActive}</p>}
          <p>{maintenance.deleteText}</p>
        </>
      ),
      leave,
    });
  return (
    <>
      <PageHead
        crumbs={[{ text: words.nav.maintenance, href: '/maintenance' }, { text: name }]}
        {...(status === 'active' && { displayStatus: 'maintenance' as const })}
        title={titles[status](name)}
        tabTitle={name}
        mark={<KeptMark section="maintenance_windows" id={id} />}
        text={<WindowFacts window={window} />}
        actions={
          mayChange && (
            <>
              {status === 'active' && (
                <Button onClick={() => askToEnd(window)}>{maintenance.end}</Button>
              )}
              <Button look="danger" onClick={askToDelete}>
                {words.common.delete}
              </Button>
            </>
          )
        }
      />
      {mayChange && (
        <Card className="narrow">
          <KeptGate section="maintenance_windows" id={id}>
            <WindowForm
              key={window.updated_at}
              initial={initial}
              submit={words.common.save}
              onSubmit={(draft) => windowCollection.save(id, bodyOf(draft, initial))}
              onCancel={leave}
            />
          </KeptGate>
        </Card>
      )}
    </>
  );
}
