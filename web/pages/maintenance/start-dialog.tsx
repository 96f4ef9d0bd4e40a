import { useState, type ReactNode } from 'react';
import { ApiError, ask, queries } from '../../app/api.ts';
import { startMaintenance } from '../../client/sdk.gen.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Choose, Form, Input } from '../../parts/form.tsx';
import { scopeOf, type ScopeDraft } from '../../parts/scope.ts';
import { ScopeFields } from '../../parts/scope-fields.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { lacksScope } from './draft.ts';
import { EarlyFields } from './form.tsx';

/** Starts maintenance now, for a time. */
export function StartDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { maintenance } = words;
  const [name, setName] = useState('');
  const [minutes, setMinutes] = useState('60');
  const [rounds, setRounds] = useState('5');
  const [scope, setScope] = useState<ScopeDraft>({
    isAll: false,
    monitors: [],
    groups: [],
    tags: [],
  });
  const start = async () => {
    if (lacksScope({ scope }))
      throw new ApiError(0, { errors: { monitors: [maintenance.scopeNeeded] } });
    const body = {
      ...(name.trim() !== '' && { name: name.trim() }),
      minutes: Number(minutes),
      ...scopeOf(scope),
      good_rounds: rounds === '' ? null : Number(rounds),
    };
    const started = await ask(startMaintenance({ body }));
    onClose();
    say(maintenance.started(started.name));
    await Promise.all(
      ['maintenance-windows', 'monitors'].map((noun) =>
        queries.invalidateQueries({ queryKey: [noun] }),
      ),
    );
  };
  return (
    <Dialog title={maintenance.start} size="large" onClose={onClose}>
      <Form submit={maintenance.startNow} onSubmit={start} onCancel={onClose}>
        <fieldset className="fieldset">
          <div className="pair">
            <Choose
              name="minutes"
              label={maintenance.minutes}
              value={minutes}
              onChange={setMinutes}
              options={Object.entries(maintenance.minutesChoices).map(([value, text]) => ({
                value,
                text,
              }))}
            />
            <Input
              name="name"
              label={maintenance.name}
              isOptional
              placeholder={maintenance.title}
              maxLength={100}
              value={name}
              onChange={setName}
            />
          </div>
          <ScopeFields value={scope} onChange={setScope} />
          <EarlyFields value={rounds} onChange={setRounds} />
        </fieldset>
      </Form>
    </Dialog>
  );
}
