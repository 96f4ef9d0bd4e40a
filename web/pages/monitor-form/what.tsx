import type { ReactNode } from 'react';
import { useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { listGroups } from '../../client/sdk.gen.ts';
import { Choose, Input } from '../../parts/form.tsx';
import { words } from '../../words/index.ts';
import { isPush, type MonitorType } from './draft.ts';
import { Section, type PartProps } from './fields.tsx';
import { withScheme } from '../check/reach.ts';

const TYPES: readonly MonitorType[] = ['http', 'ping', 'port', 'heartbeat', 'cron'];

/** Five cards to choose the type of a monitor. A type that the plan does not include says so. */
export function TypeCards({
  type,
  onChange,
}: {
  type: MonitorType;
  onChange: (type: MonitorType) => void;
}): ReactNode {
  const { plan } = useSession();
  const { monitorForm } = words;
  return (
    <fieldset className="mf-types">
      <legend className="vh">{monitorForm.type}</legend>
      {TYPES.map((one) => {
        const isAllowed = plan === null || plan.features.monitor_types.includes(one);
        return (
          <label key={one} className="mf-type">
            <input
              type="radio"
              name="monitor_type"
              value={one}
              checked={one === type}
              disabled={!isAllowed}
              onChange={() => onChange(one)}
            />
            <b>{monitorForm.types[one].name}</b>
            <span>
              {isAllowed ? monitorForm.types[one].text : monitorForm.notInPlan(plan?.name ?? '')}
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

/** What is watched, and what it is called. */
export function What({ draft, set }: PartProps): ReactNode {
  const { monitorForm } = words;
  const groups = useRead(['groups'], () => listGroups());
  const isPushed = isPush(draft.type);
  return (
    <Section title={monitorForm.what}>
      {!isPushed && (
        <div className={draft.type === 'port' ? 'mf-pair wide-first' : ''}>
          <Input
            name="url"
            label={monitorForm.targets[draft.type]}
            placeholder={monitorForm.examples[draft.type]}
            value={draft.url}
            onChange={(url) => set({ url })}
            onBlur={() => draft.type === 'http' && set({ url: withScheme(draft.url) })}
            type={draft.type === 'http' ? 'url' : 'text'}
            spellCheck={false}
            autoCapitalize="none"
          />
          {draft.type === 'port' && (
            <Input
              name="port"
              label={monitorForm.port}
              inputMode="numeric"
              placeholder="5432"
              value={draft.port}
              onChange={(port) => set({ port })}
            />
          )}
        </div>
      )}
      <Input
        name="friendly_name"
        label={monitorForm.name}
        hint={isPushed ? monitorForm.jobNameHint : monitorForm.nameHint}
        isOptional={!isPushed}
        value={draft.name}
        onChange={(name) => set({ name })}
      />
      <div className="mf-pair">
        <Choose
          name="group_id"
          label={monitorForm.group}
          value={draft.group}
          onChange={(group) => set({ group })}
          options={[
            { value: '', text: monitorForm.noGroup },
            ...(groups.data?.data ?? []).map(({ id, name }) => ({
              value: String(id),
              text: name,
            })),
          ]}
        />
        <Input
          name="tags"
          label={monitorForm.tags}
          isOptional
          hint={monitorForm.tagsHint}
          value={draft.tags}
          onChange={(tags) => set({ tags })}
        />
      </div>
    </Section>
  );
}
