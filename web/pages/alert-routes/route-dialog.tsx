import { useState, type ReactNode } from 'react';
import { ApiError, ask, queries } from '../../app/api.ts';
import { createAlertRoute, updateAlertRoute } from '../../client/sdk.gen.ts';
import type { AlertRoute } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, Input } from '../../parts/form.tsx';
import { PickMany } from '../../parts/pick-many.tsx';
import { isWholeTeam } from '../../parts/scope.ts';
import { ScopeFields } from '../../parts/scope-fields.tsx';
import { SeveritiesField } from '../../parts/severities.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { bodyOf, draftOf, NEW_ROUTE, withStep, type RouteDraft, type StepDraft } from './draft.ts';
import type { Recipients } from './sentence.ts';

/** Creates or changes a route. `route` is null for a new one, which comes last and notifies `channels`. */
export function RouteDialog({
  route,
  position,
  channels,
  recipients,
  onClose,
}: {
  route: AlertRoute | null;
  position: number;
  channels: number[];
  recipients: Recipients;
  onClose: () => void;
}): ReactNode {
  const [draft, setDraft] = useState<RouteDraft>(() =>
    route === null ? { ...NEW_ROUTE, channels } : draftOf(route),
  );
  const set = (change: Partial<RouteDraft>) => setDraft((former) => ({ ...former, ...change }));
  const { alertRoutes } = words;
  const save = async () => {
    if (!draft.scope.isAll && isWholeTeam(draft.scope))
      throw new ApiError(0, { errors: { monitors: [words.maintenance.scopeNeeded] } });
    const body = bodyOf(draft);
    const saved = await ask(
      route === null
        ? createAlertRoute({ body: { ...body, sort_order: position } })
        : updateAlertRoute({ path: { id: route.id }, body }),
    );
    onClose();
    say((route === null ? alertRoutes.created : alertRoutes.saved)(saved.name));
    await queries.invalidateQueries({ queryKey: ['alert-routes'] });
  };
  return (
    <Dialog
      title={route === null ? alertRoutes.new : alertRoutes.editTitle(route.name)}
      size="large"
      onClose={onClose}
    >
      <Form
        submit={route === null ? alertRoutes.create : words.common.save}
        onSubmit={save}
        onCancel={onClose}
      >
        <fieldset className="fieldset">
          <Input
            name="name"
            label={alertRoutes.name}
            maxLength={100}
            value={draft.name}
            onChange={(name) => set({ name })}
          />
        </fieldset>
        <fieldset className="fieldset">
          <legend>{alertRoutes.about}</legend>
          <ScopeFields value={draft.scope} onChange={(scope) => set({ scope })} />
          <SeveritiesField
            legend={alertRoutes.severities}
            value={draft.severities}
            onChange={(severities) => set({ severities })}
          />
        </fieldset>
        <fieldset className="fieldset">
          <legend>{alertRoutes.who}</legend>
          <Who prefix="" value={draft} recipients={recipients} onChange={set} />
          <Input
            name="reminder_minutes"
            type="number"
            min={1}
            max={1440}
            label={alertRoutes.reminder}
            hint={alertRoutes.reminderHint}
            isOptional
            value={draft.reminder_minutes}
            onChange={(reminder_minutes) => set({ reminder_minutes })}
          />
        </fieldset>
        <Steps
          steps={draft.escalation}
          recipients={recipients}
          onChange={(escalation) => set({ escalation })}
        />
      </Form>
    </Dialog>
  );
}

function Who({
  prefix,
  value,
  recipients,
  onChange,
}: {
  /** Before the names of the API's fields. */
  prefix: string;
  value: { channels: number[]; users: number[] };
  recipients: Recipients;
  onChange: (change: { channels?: number[]; users?: number[] }) => void;
}): ReactNode {
  return (
    <div className="pair">
      <PickMany
        name={`${prefix}channels`}
        label={words.alertRoutes.channels}
        all={recipients.channels}
        value={value.channels}
        onChange={(channels) => onChange({ channels })}
      />
      <PickMany
        name={`${prefix}users`}
        label={words.alertRoutes.people}
        all={recipients.users}
        value={value.users}
        onChange={(users) => onChange({ users })}
      />
    </div>
  );
}

function Steps({
  steps,
  recipients,
  onChange,
}: {
  steps: readonly StepDraft[];
  recipients: Recipients;
  onChange: (steps: StepDraft[]) => void;
}): ReactNode {
  const { alertRoutes } = words;
  const change = (key: number, step: Partial<StepDraft>) =>
    onChange(steps.map((one) => (one.key === key ? { ...one, ...step } : one)));
  return (
    <fieldset className="fieldset">
      <legend>{alertRoutes.later}</legend>
      {steps.map((step, index) => (
        <fieldset key={step.key} className="step">
          <legend className="vh">{alertRoutes.step(index + 1)}</legend>
          <div className="row">
            <Input
              name={`escalation.${index}.after_minutes`}
              type="number"
              min={1}
              max={1440}
              label={alertRoutes.after}
              hint={alertRoutes.afterHint}
              value={step.after_minutes}
              onChange={(after_minutes) => change(step.key, { after_minutes })}
            />
            <Button
              icon="trash"
              aria-label={alertRoutes.removeStep(index + 1)}
              onClick={() => onChange(steps.filter(({ key }) => key !== step.key))}
            />
          </div>
          <Who
            prefix={`escalation.${index}.`}
            value={step}
            recipients={recipients}
            onChange={(next) => change(step.key, next)}
          />
        </fieldset>
      ))}
      {steps.length < 10 && (
        <div>
          <Button icon="plus" onClick={() => onChange(withStep(steps))}>
            {alertRoutes.addStep}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
