import { useState, type ReactNode } from 'react';
import { useChange } from '../../app/api.ts';
import { updateAnnouncementUpdate } from '../../client/sdk.gen.ts';
import type { AnnouncementDetail, AnnouncementUpdate } from '../../client/types.gen.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { StateField, UpdateText } from './update-text.tsx';

/** Corrects an update. Its former version is kept, and nobody is notified. */
export function EditUpdateDialog({
  announcement,
  update,
  onClose,
  onSaved,
}: {
  announcement: AnnouncementDetail;
  update: AnnouncementUpdate;
  onClose: () => void;
  onSaved: () => void;
}): ReactNode {
  const w = words.statusPages;
  const [state, setState] = useState(update.state);
  const [text, setText] = useState(update.text ?? '');
  const save = useChange(
    () =>
      updateAnnouncementUpdate({
        path: { id: announcement.id, update: update.id },
        body: { state, text },
      }),
    ['announcements'],
  );
  return (
    <Dialog title={w.editUpdate} size="large" onClose={onClose}>
      <Form
        submit={words.common.save}
        onCancel={onClose}
        onSubmit={async () => {
          await save.mutateAsync(undefined);
          onSaved();
          say(w.saved);
          onClose();
        }}
      >
        <div className="gap sp-dialog">
          <p className="notice">{w.editUpdateHint}</p>
          <StateField kind={announcement.kind} value={state} onChange={setState} />
          <UpdateText value={text} onChange={setText} />
        </div>
      </Form>
    </Dialog>
  );
}
