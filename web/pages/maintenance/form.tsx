import { useState } from 'react';
import { useRead } from '../../app/api.ts';
import { useNow } from '../../app/clock.ts';
import { MAINTENANCE_WINDOW } from '../../app/fields.gen.ts';
import { duration } from '../../lib/format.ts';
import { toWallMinute } from '../../lib/wall-time.ts';
import { Button } from '../../parts/button.tsx';
import {
  Choose,
  Form,
  Input,
  TextArea,
  Tick,
  TickGroup,
  useControl,
  useForm,
  ZoneField,
} from '../../parts/form.tsx';
import { useLeaveGuard } from '../../parts/leave-guard.ts';
import { NotifyTick } from '../../parts/mail-preview.tsx';
import { requireScope, ScopeFields } from '../../parts/scope-fields.tsx';
import { lacksScope, scopeOf } from '../../parts/scope.ts';
import { words } from '../../words/index.ts';
import { laterWall, presetTimes, wallDuration, type Preset, type WindowDraft } from './draft.ts';
import {
  DAY_CODES,
  isFrequent,
  nextStarts,
  REPEATS,
  weekdayOf,
  type Recurrence,
} from './recurrence.ts';
import { pagesShowing } from './shown-on.ts';
import { shortDay, wallText } from './actions.tsx';

const { maintenance } = words;

const PRESETS: readonly Preset[] = ['hour', 'tonight', 'weekend'];
/** Good rounds that the API begins with for windows started at once. */
const GOOD_ROUNDS = '5';

export function WindowForm(props: {
  initial: WindowDraft;
  submit: string;
  onSubmit: (draft: WindowDraft) => Promise<unknown>;
  onCancel: () => void;
}) {
  const { initial, submit, onSubmit, onCancel } = props;
  const { draft, saved, set, form } = useForm(MAINTENANCE_WINDOW, initial);
  useLeaveGuard(draft, saved);
  const send = async () => {
    requireScope(draft);
    await onSubmit(draft);
  };
  return (
    <Form {...form} submit={submit} onSubmit={send} onCancel={onCancel}>
      <fieldset className="fieldset">
        <Input
          name="name"
          label={words.labels.name}
          hint={maintenance.nameHint}
          placeholder={maintenance.namePlaceholder}
        />
        <TextArea
          name="description"
          label={maintenance.description}
          hint={maintenance.descriptionHint}
          isOptional
          rows={2}
        />
      </fieldset>
      <WhenFields draft={draft} set={set} />
      <fieldset className="fieldset">
        <legend>{maintenance.scope}</legend>
        <ScopeFields />
      </fieldset>
      <fieldset className="fieldset">
        <EarlyFields />
        <AnnounceTick isFrequent={isFrequent(draft.recurrence)} />
        <p className="notice">{maintenance.effect}</p>
      </fieldset>
    </Form>
  );
}

/** Whether status pages announce a window: which of them would, and how many subscribers they would notify. */
export function AnnounceTick({ isFrequent: isSilent = false }: { isFrequent?: boolean }) {
  const { value: scope } = useControl<WindowDraft['scope']>('scope');
  // Who is notified does not depend on the times.
  const [[starts_at, ends_at]] = useState(() =>
    [1, 2].map((days) => new Date(Date.now() + days * 86_400_000).toISOString()),
  );
  const overview = useRead('getMonitorOverview');
  const all = useRead('listStatusPages', { query: { per_page: 100 } });
  const isKnown = !lacksScope(scope) && overview.data !== undefined && all.data !== undefined;
  const pages = isKnown ? pagesShowing(scopeOf(scope), overview.data, all.data.data) : [];
  const body = {
    kind: 'maintenance' as const,
    title: maintenance.announce,
    text: maintenance.announce,
    status_pages: pages.map(({ id }) => id),
    monitors: [...new Set(pages.flatMap(({ monitors }) => monitors))],
    starts_at,
    ends_at,
  };
  const says = [
    ...(isKnown ? [maintenance.shownOn(pages.map(({ name }) => name))] : []),
    ...(isSilent ? [maintenance.notMailed] : []),
  ].join(' ');
  const isCounted = pages.length > 0 && !isSilent;
  return (
    <NotifyTick
      name="announce"
      label={maintenance.announce}
      says={says}
      publication={isCounted ? { name: 'previewAnnouncement', body } : null}
    />
  );
}

/** Whether a window ends before its time once all is well. */
export function EarlyFields() {
  const { value, change } = useControl<string>('good_rounds');
  return (
    <>
      <Tick
        name="good_rounds_on"
        label={maintenance.early}
        hint={maintenance.earlyHint}
        checked={value !== ''}
        onChange={(isOn) => change(isOn ? GOOD_ROUNDS : '')}
      />
      {value !== '' && <Input name="good_rounds" label={maintenance.earlyRounds} />}
    </>
  );
}

interface PartProps {
  draft: WindowDraft;
  set: (change: Partial<WindowDraft>) => void;
}

function WhenFields({ draft, set }: PartProps) {
  const { starts_at: starts, ends_at: ends, timezone } = draft;
  const lasts = wallDuration(starts, ends);
  /** The end moves with the start. Browsers read other texts than those of ISO 8601 as days, too. */
  const move = (next: string) =>
    set({
      starts_at: next,
      ...(lasts > 0 && next[10] === 'T' && { ends_at: laterWall(next, lasts) }),
    });
  return (
    <fieldset className="fieldset">
      <legend>{maintenance.when}</legend>
      <div className="row" role="group" aria-label={maintenance.presets}>
        {PRESETS.map((preset) => (
          <Button key={preset} onClick={() => set(presetTimes(preset, Date.now(), timezone))}>
            {maintenance.preset[preset]}
          </Button>
        ))}
      </div>
      <div className="two">
        <Input
          name="starts_at"
          type="datetime-local"
          label={maintenance.starts}
          value={starts}
          onChange={move}
        />
        <Input
          name="ends_at"
          type="datetime-local"
          label={maintenance.ends}
          hint={lasts > 0 ? maintenance.lasts(duration(lasts)) : maintenance.endsHint}
        />
      </div>
      <div className="two">
        <ZoneField name="timezone" label={words.labels.timezone} />
        <Choose
          name="rrule"
          label={maintenance.repeat}
          value={draft.recurrence.repeat}
          options={REPEATS.map((value) => ({ value, text: maintenance.repeats[value] }))}
          onChange={(repeat) =>
            set({
              recurrence: {
                ...draft.recurrence,
                repeat: repeat as Recurrence['repeat'],
                days: repeat === 'weekly' && starts !== '' ? [weekdayOf(starts)] : [],
              },
            })
          }
        />
      </div>
      <RepeatFields draft={draft} set={set} />
    </fieldset>
  );
}

function RepeatFields({ draft, set }: PartProps) {
  const { recurrence } = draft;
  const { repeat } = recurrence;
  const change = (next: Partial<Recurrence>) => set({ recurrence: { ...recurrence, ...next } });
  if (repeat === 'none') return null;
  if (repeat === 'custom') {
    return (
      <>
        <Input
          name="rrule"
          label={maintenance.rule}
          hint={maintenance.ruleHint}
          value={recurrence.rule}
          onChange={(rule) => change({ rule })}
        />
        <p className="notice">{maintenance.previewLater}</p>
      </>
    );
  }
  const unit = repeat === 'daily' || repeat === 'weekly' ? repeat : 'monthly';
  return (
    <>
      {repeat === 'weekly' && (
        <TickGroup
          name="days"
          legend={maintenance.days}
          isInline
          choices={DAY_CODES.map((value) => ({ value, text: shortDay(value) }))}
          value={recurrence.days}
          onChange={(days) => change({ days })}
        />
      )}
      <div className="two">
        <Input
          name="interval"
          type="number"
          min={1}
          max={100}
          label={maintenance.intervalLabel[unit]}
          value={String(recurrence.interval)}
          onChange={(text) => change({ interval: Math.max(1, Math.floor(Number(text)) || 1) })}
        />
        <Input
          name="until"
          type="date"
          label={maintenance.lastDay}
          isOptional
          value={recurrence.until}
          onChange={(until) => change({ until })}
        />
      </div>
      <Preview draft={draft} />
    </>
  );
}

/** The next times, in the zone of the window. */
function Preview({ draft: { recurrence, starts_at, timezone } }: { draft: WindowDraft }) {
  const now = useNow(60_000);
  const starts = nextStarts(recurrence, starts_at, toWallMinute(now, timezone), 5) ?? [];
  return (
    <div className="notice" aria-live="polite">
      <p className="b">
        {maintenance.preview} ({timezone.replaceAll('_', ' ')})
      </p>
      {starts.length === 0 ? (
        <p>{maintenance.previewNone}</p>
      ) : (
        <ol className="next-times">
          {starts.map((wall) => (
            <li key={wall}>{wallText(wall)}</li>
          ))}
        </ol>
      )}
    </div>
  );
}
