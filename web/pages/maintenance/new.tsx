import { useState } from 'react';
import { useLocation } from 'wouter';
import { call, type BodyOf } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { NewPage } from '../../parts/sections.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { windowCollection } from './actions.tsx';
import { bodyOf, newDraft, type WindowDraft } from './draft.ts';
import { WindowForm } from './form.tsx';

export default function NewMaintenancePage() {
  const { zone } = useSession();
  const [, navigate] = useLocation();
  const [initial] = useState(() => newDraft(Date.now(), zone));
  const { maintenance } = words;
  const create = async (draft: WindowDraft) => {
    // All settings are given for a new window.
    const body = bodyOf(draft) as BodyOf<'createMaintenanceWindow'>;
    const { name, active_until: until } = await call('createMaintenanceWindow', { body });
    void windowCollection.reread();
    navigate('/maintenance');
    showToast(until === null ? maintenance.created(name) : words.maintenance.started(name));
  };
  return (
    <NewPage
      least="editor"
      crumbs={[{ text: words.nav.maintenance, href: '/maintenance' }, { text: maintenance.plan }]}
      title={words.maintenance.plan}
    >
      <WindowForm
        initial={initial}
        submit={maintenance.create}
        onSubmit={create}
        onCancel={() => navigate('/maintenance')}
      />
    </NewPage>
  );
}
