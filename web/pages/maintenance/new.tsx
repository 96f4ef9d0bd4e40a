import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { ask, queries } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { createMaintenanceWindow } from '../../client/sdk.gen.ts';
import { Card } from '../../parts/card.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { say } from '../../parts/toast.tsx';
import { NeedsRole } from '../../parts/needs-role.tsx';
import { words } from '../../words/index.ts';
import { bodyOf, newDraft, type WindowDraft } from './draft.ts';
import { WindowForm } from './form.tsx';

/** Plans maintenance. */
export default function NewMaintenancePage(): ReactNode {
  const { zone, isAtLeast } = useSession();
  const [, navigate] = useLocation();
  const [initial] = useState(() => newDraft(Date.now(), zone));
  const { maintenance } = words;
  const create = async (draft: WindowDraft) => {
    const made = await ask(createMaintenanceWindow({ body: bodyOf(draft) as NewWindow }));
    await queries.invalidateQueries({ queryKey: ['maintenance-windows'] });
    navigate('/maintenance');
    say(made.active_until === null ? maintenance.created(made.name) : maintenance.begun(made.name));
  };
  const crumbs = [{ text: maintenance.title, href: '/maintenance' }, { text: maintenance.plan }];
  const mayPlan = isAtLeast('editor');
  return (
    <>
      <PageHead
        crumbs={crumbs}
        title={maintenance.newTitle}
        {...(!mayPlan && { text: <NeedsRole least="editor" /> })}
      />
      {mayPlan && (
        <Card className="narrow">
          <WindowForm
            initial={initial}
            submit={maintenance.create}
            onSubmit={create}
            onCancel={() => navigate('/maintenance')}
          />
        </Card>
      )}
    </>
  );
}

/** All settings are given for a new window. */
type NewWindow = Parameters<typeof createMaintenanceWindow>[0]['body'];
