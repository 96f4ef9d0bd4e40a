import { useState, type ReactNode } from 'react';
import { useSession } from '../../app/session.tsx';
import { Choose, Form, Input, TextArea, Tick } from '../../parts/form.tsx';
import { SeveritiesField, TickGroup } from '../../parts/severities.tsx';
import { ZoneField } from '../../parts/zone-field.tsx';
import { words } from '../../words/index.ts';
import {
  newQuietHours,
  WEEKDAYS,
  type ChannelDraft,
  type QuietDraft,
  type SettingField,
} from './draft.ts';
import { typeWords } from './state.ts';

/** What the API shows instead of a secret; sent back, it keeps the stored one. */
const MASK = '••••••••';

/** Form of a channel: its connection, and what it gets. */
export function ChannelForm({
  type,
  fields,
  initial,
  isOfTeam,
  submit,
  onSubmit,
  onCancel,
}: {
  type: string;
  fields: readonly SettingField[];
  initial: ChannelDraft;
  isOfTeam: boolean;
  submit: string;
  onSubmit: (draft: ChannelDraft) => Promise<unknown>;
  onCancel?: () => void;
}): ReactNode {
  const { zone } = useSession();
  const [draft, setDraft] = useState(initial);
  const set = (change: Partial<ChannelDraft>) => setDraft((former) => ({ ...former, ...change }));
  const { channels } = words;
  return (
    <Form submit={submit} onSubmit={() => onSubmit(draft)} {...(onCancel && { onCancel })}>
      <fieldset className="fieldset">
        <legend>{channels.connection}</legend>
        {fields.map((field) => (
          <SettingInput
            key={field.name}
            field={field}
            value={draft.settings[field.name] ?? ''}
            onChange={(value) => set({ settings: { ...draft.settings, [field.name]: value } })}
          />
        ))}
        <Input
          name="name"
          label={channels.name}
          isOptional
          maxLength={100}
          hint={channels.nameHint(typeWords(type).title)}
          value={draft.name}
          onChange={(name) => set({ name })}
        />
      </fieldset>
      <fieldset className="fieldset">
        <legend>{channels.rules}</legend>
        <Tick
          name="enabled"
          label={channels.enabled}
          checked={draft.enabled}
          onChange={(enabled) => set({ enabled })}
        />
        {isOfTeam && (
          <Tick
            name="is_default"
            label={channels.isDefault}
            hint={channels.isDefaultHint}
            checked={draft.is_default}
            onChange={(is_default) => set({ is_default })}
          />
        )}
        <SeveritiesField
          legend={channels.severity}
          value={draft.severities}
          onChange={(severities) => set({ severities })}
        />
        <Tick
          name="quiet_hours"
          label={channels.quiet}
          hint={channels.quietHint}
          checked={draft.quiet_hours !== null}
          onChange={(isOn) => set({ quiet_hours: isOn ? newQuietHours(zone) : null })}
        />
        {draft.quiet_hours !== null && (
          <QuietFields quiet={draft.quiet_hours} onChange={(quiet_hours) => set({ quiet_hours })} />
        )}
        <ZoneField
          name="timezone"
          label={channels.zone}
          unset={isOfTeam ? channels.zoneUnset : channels.zoneOwn}
          value={draft.timezone}
          onChange={(timezone) => set({ timezone })}
        />
      </fieldset>
    </Form>
  );
}

function SettingInput({
  field: { name, kind, required, secret, description, example, choices },
  value,
  onChange,
}: {
  field: SettingField;
  value: string;
  onChange: (value: string) => void;
}): ReactNode {
  const known: Record<string, string[]> = words.channels.settings;
  const [label = name, hint = description] = known[name] ?? [];
  const common = {
    name: `settings.${name}`,
    label,
    hint: secret && value === MASK ? words.channels.secretKept : hint,
    isOptional: !required,
    value,
    onChange,
  };
  if (choices !== null) {
    const options = choices.map((choice) => ({ value: choice, text: choice }));
    return (
      <Choose {...common} options={[{ value: '', text: words.channels.notSet }, ...options]} />
    );
  }
  const sample = Array.isArray(example) ? example.join('\n') : String(example);
  if (kind === 'emails') return <TextArea {...common} rows={3} placeholder={sample} />;
  return (
    <Input
      {...common}
      placeholder={secret ? '' : sample}
      {...(kind === 'number' && { inputMode: 'numeric' })}
      {...(kind === 'url' && { inputMode: 'url' })}
      onFocus={({ currentTarget }) => value === MASK && currentTarget.select()}
    />
  );
}

function QuietFields({
  quiet,
  onChange,
}: {
  quiet: QuietDraft;
  onChange: (quiet: QuietDraft) => void;
}): ReactNode {
  const { channels } = words;
  const isNextDay = quiet.to !== '' && quiet.to < quiet.from;
  return (
    <>
      <div className="pair">
        <Input
          name="quiet_hours.from"
          type="time"
          label={channels.quietFrom}
          value={quiet.from}
          onChange={(from) => onChange({ ...quiet, from })}
        />
        <Input
          name="quiet_hours.to"
          type="time"
          label={channels.quietTo}
          hint={isNextDay ? channels.quietNextDay : undefined}
          value={quiet.to}
          onChange={(to) => onChange({ ...quiet, to })}
        />
      </div>
      <TickGroup
        name="quiet_hours.days"
        legend={channels.quietDays}
        isInline
        choices={WEEKDAYS.map((value) => ({ value, text: channels.weekdays[value] }))}
        value={quiet.days}
        onChange={(days) => onChange({ ...quiet, days })}
      />
      <ZoneField
        name="quiet_hours.timezone"
        label={channels.quietZone}
        value={quiet.timezone}
        onChange={(timezone) => onChange({ ...quiet, timezone })}
      />
      <Tick
        name="quiet_hours.allow_critical"
        label={channels.quietCritical}
        checked={quiet.allow_critical}
        onChange={(allow_critical) => onChange({ ...quiet, allow_critical })}
      />
    </>
  );
}
