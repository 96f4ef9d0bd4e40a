import type { AlertRoute } from '../../app/client.ts';
import { collection } from '../../app/collection.ts';
import type { Named } from '../../app/names.ts';
import { ALERT_ROUTE } from '../../app/fields.gen.ts';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Input, useForm } from '../../parts/form.tsx';
import { PickMany } from '../../parts/pick-many.tsx';
import { requireScope, ScopeFields } from '../../parts/scope-fields.tsx';
import { SeveritiesField } from '../../parts/severities.tsx';
import { words } from '../../words/index.ts';
import { bodyOf, draftOf, NEW_ROUTE, withStep, type StepDraft } from './draft.ts';

export const routeCollection = collection('AlertRoute', {
  texts: () => words.alertRoutes,
});

/** Who can be notified, by name. */
export interface Recipients {
  channels: Named[];
  users: Named[];
}

/** Creates or changes a route. `route` is null for a new one, which comes last and notifies `channels`. */
export function RouteDialog(props: {
  route: AlertRoute | null;
  position: number;
  channels: number[];
  recipients: Recipients;
  onClose: () => void;
}) {
  const { route, position, channels, recipients, onClose } = props;
  const { draft, set, form } = useForm(ALERT_ROUTE, () =>
    route === null ? { ...NEW_ROUTE, channels } : draftOf(route),
  );
  const { alertRoutes } = words;
  const save = async () => {
    requireScope(draft);
    await routeCollection.save(route?.id ?? null, {
      ...bodyOf(draft),
      ...(route === null && { sort_order: position }),
    });
  };
  return (
    <FormDialog
      title={route === null ? alertRoutes.new : words.labels.editNamed(route.name)}
      size="large"
      submit={route === null ? alertRoutes.create : words.common.save}
      {...form}
      onSubmit={save}
      onClose={onClose}
    >
      <fieldset className="fieldset">
        <Input name="name" label={words.labels.name} />
      </fieldset>
      <fieldset className="fieldset">
        <legend>{alertRoutes.about}</legend>
        <ScopeFields />
        <SeveritiesField legend={words.channels.severity} />
      </fieldset>
      <fieldset className="fieldset">
        <legend>{alertRoutes.who}</legend>
        <Who prefix="" value={draft} recipients={recipients} onChange={set} />
        <Input
          name="reminder_minutes"
          label={alertRoutes.reminder}
          hint={alertRoutes.reminderHint}
          isOptional
        />
      </fieldset>
      <Steps
        steps={draft.escalation}
        recipients={recipients}
        onChange={(escalation) => set({ escalation })}
      />
    </FormDialog>
  );
}

function Who(props: {
  /** Before the names of the API's fields. */
  prefix: string;
  value: { channels: number[]; users: number[] };
  recipients: Recipients;
  onChange: (change: { channels?: number[]; users?: number[] }) => void;
}) {
  const { prefix, value, recipients, onChange } = props;
  return (
    <div className="two">
      <PickMany
        name={`${prefix}channels`}
        label={words.channels.ofTeam}
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

function Steps(props: {
  steps: readonly StepDraft[];
  recipients: Recipients;
  onChange: (steps: StepDraft[]) => void;
}) {
  const { steps, recipients, onChange } = props;
  const { alertRoutes } = words;
  const change = (key: number, step: Partial<StepDraft>) =>
    onChange(steps.map((one) => (one.key === key ? { ...one, ...step } : one)));
  return (
    <fieldset className="fieldset">
      <legend>{alertRoutes.later}</legend>
      {steps.map((step, index) => (
        <fieldset key={step.key} className="gap box step">
          <legend className="vh">{alertRoutes.step(index + 1)}</legend>
          <div className="row">
            <Input
              name={`escalation.${index}.after_minutes`}
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
