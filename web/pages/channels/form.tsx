import type { ReactNode } from 'react';
import { useAnswer } from '../../app/answer.ts';
import { ApiError, messageOf, type ChannelTest } from '../../app/client.ts';
import { collection } from '../../app/collection.ts';
import { useSession } from '../../app/session.ts';
import { ALERT_CHANNEL } from '../../app/fields.gen.ts';
import { Button } from '../../parts/button.tsx';
import {
  Choose,
  Form,
  Input,
  TextArea,
  Tick,
  TickGroup,
  useForm,
  ZoneField,
} from '../../parts/form.tsx';
import { useLeaveGuard } from '../../parts/leave-guard.ts';
import { withLabels } from '../../parts/field-labels.ts';
import { Card } from '../../parts/page.tsx';
import { SeveritiesField } from '../../parts/severities.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { words } from '../../words/index.ts';
import {
  newQuietHours,
  WEEKDAYS,
  type ChannelDraft,
  type QuietDraft,
  type SettingField,
} from './draft.ts';
import { typeWords } from './state.ts';

export const channelCollection = collection('AlertChannel', {
  texts: () => words.channels,
});

/** What the API shows instead of a secret; sent back, it keeps the stored one. */
const MASK = '••••••••';

export function ChannelForm(props: {
  type: string;
  fields: readonly SettingField[];
  initial: ChannelDraft;
  isOfTeam: boolean;
  submit: string;
  onSubmit: (draft: ChannelDraft) => Promise<unknown>;
  onCancel?: () => void;
  /** Sends a test with what is typed. */
  onTry?: (draft: ChannelDraft) => Promise<ChannelTest>;
}) {
  const { type, fields, initial, isOfTeam, submit, onSubmit, onCancel, onTry } = props;
  const { zone } = useSession();
  const { draft, saved, set, form } = useForm(ALERT_CHANNEL, initial);
  useLeaveGuard(draft, saved);
  const { channels } = words;
  const { quiet_hours: quiet } = draft;
  return (
    <Form {...form} submit={submit} onSubmit={() => onSubmit(draft)} onCancel={onCancel}>
      <Fold title={channels.connection} isOpen={Object.keys(initial.settings).length === 0}>
        {typeWords(type).help !== undefined && <p className="notice">{typeWords(type).help}</p>}
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
          label={words.labels.name}
          isOptional
          hint={channels.nameHint(typeWords(type).title)}
        />
        {onTry !== undefined && <TryOut run={() => onTry(draft)} />}
      </Fold>
      <Fold title={channels.rules} isOpen>
        <Tick name="enabled" label={channels.enabled} />
        {isOfTeam && (
          <Tick name="is_default" label={channels.isDefault} hint={channels.isDefaultHint} />
        )}
        <SeveritiesField legend={channels.severity} />
      </Fold>
      <Fold
        title={channels.quiet}
        facts={quiet === null ? '' : channels.facts.quiet(quiet.from, quiet.to)}
      >
        <Tick
          name="quiet_hours"
          label={words.terms.quietHours}
          hint={channels.quietHint}
          checked={quiet !== null}
          onChange={(isOn) => set({ quiet_hours: isOn ? newQuietHours(zone) : null })}
        />
        {quiet !== null && (
          <QuietFields quiet={quiet} onChange={(quiet_hours) => set({ quiet_hours })} />
        )}
        <ZoneField
          name="timezone"
          label={channels.zone}
          none={isOfTeam ? 'UTC' : channels.zoneOwn}
        />
      </Fold>
    </Form>
  );
}

/** Section that folds; `facts` say what is in it. */
function Fold(props: { title: string; facts?: string; isOpen?: boolean; children: ReactNode }) {
  const { title, facts, isOpen = false, children } = props;
  return (
    <details className="folded" open={isOpen}>
      <summary>
        {title} {facts !== undefined && <span className="faint">{facts}</span>}
      </summary>
      <div className="fieldset">{children}</div>
    </details>
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
}) {
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
    return <Choose {...common} none={words.channels.notSet} options={options} />;
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

function QuietFields(props: { quiet: QuietDraft; onChange: (quiet: QuietDraft) => void }) {
  const { quiet, onChange } = props;
  const { channels } = words;
  const isNextDay = quiet.to !== '' && quiet.to < quiet.from;
  return (
    <>
      <div className="two">
        <Input
          name="quiet_hours.from"
          type="time"
          label={words.labels.from}
          value={quiet.from}
          onChange={(from) => onChange({ ...quiet, from })}
        />
        <Input
          name="quiet_hours.to"
          type="time"
          label={words.labels.to}
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
        value={quiet.days.length === 0 ? WEEKDAYS : quiet.days}
        onChange={(days) =>
          onChange({ ...quiet, days: days.length === WEEKDAYS.length ? [] : days })
        }
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

/** Button that sends a test with settings that are not saved, with what came of it. */
function TryOut({ run }: { run: () => Promise<ChannelTest> }) {
  const {
    isPending,
    data: answer,
    send,
  } = useAnswer((form: HTMLFormElement | null) =>
    run().catch((error: unknown) => {
      const errors = error instanceof ApiError ? withLabels(error.errors, form) : {};
      return {
        success: false,
        message: Object.values(errors).flat().join(' ') || messageOf(error),
      };
    }),
  );
  return (
    <div className="gap start try-out">
      <Button
        icon="play"
        isDisabled={isPending}
        onClick={({ currentTarget }) => void send(currentTarget.form)}
      >
        {isPending ? words.channels.testing : words.channels.test}
      </Button>
      <output>{answer && <Answer answer={answer} />}</output>
    </div>
  );
}

/** Button that sends a test message, with what came of it. */
export function TestCard({ run }: { run: () => Promise<ChannelTest> }) {
  const { isPending, data, error, send } = useAnswer(run);
  const answer = data ?? (error && { success: false, message: messageOf(error) });
  return (
    <Card title={words.channels.test}>
      <div className="inset sm gap start">
        <p className="dim">{words.channels.testText}</p>
        <Button icon="play" isDisabled={isPending} onClick={() => void send()}>
          {isPending ? words.channels.testing : words.channels.test}
        </Button>
      </div>
      <output>{answer && <Answer answer={answer} />}</output>
    </Card>
  );
}

function Answer({ answer: { success, message } }: { answer: ChannelTest }) {
  return (
    <div className="inset sm wrap answer">
      <StatusShape displayStatus={success ? 'online' : 'offline'} isDecoration />
      <div>
        <p className={success ? 'b up' : 'b down'}>
          {success ? words.channels.testDone : words.channels.testFailed}
        </p>
        <p className="dim">{success ? words.channels.testLook : message}</p>
      </div>
    </div>
  );
}
