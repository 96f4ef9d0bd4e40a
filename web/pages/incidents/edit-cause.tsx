import { useState, type ReactNode } from 'react';
import { useChange } from '../../app/api.ts';
import { updateIncident } from '../../client/sdk.gen.ts';
import type { IncidentDetail } from '../../client/types.gen.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, TextArea } from '../../parts/form.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { CONCERNED } from './actions.tsx';

/** Dialog with the sentence that says what is wrong. */
export function EditCause({
  incident,
  onClose,
}: {
  incident: IncidentDetail;
  onClose: () => void;
}): ReactNode {
  const [cause, setCause] = useState(incident.root_cause ?? '');
  const change = useChange(
    (root_cause: string | null) =>
      updateIncident({ path: { id: incident.id }, body: { root_cause } }),
    CONCERNED,
  );
  return (
    <Dialog title={words.incident.editCause} onClose={onClose}>
      <Form
        submit={words.common.save}
        onCancel={onClose}
        onSubmit={async () => {
          await change.mutateAsync(cause.trim() === '' ? null : cause.trim());
          onClose();
          say(words.incident.saved);
        }}
      >
        <div className="fieldset">
          <TextArea
            name="root_cause"
            label={words.incidents.cause}
            hint={words.incident.causeHint}
            value={cause}
            onChange={setCause}
          />
        </div>
      </Form>
    </Dialog>
  );
}
