import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { reread, useRead } from '../../app/api.ts';
import { call, type MaintenanceWindow } from '../../app/client.ts';
import { useNow } from '../../app/clock.ts';
import { useSession } from '../../app/session.ts';
import { START_MAINTENANCE } from '../../app/fields.gen.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { openDialog } from '../../parts/dialog.tsx';
import { Entry } from '../../parts/entry.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Choose, Input, useForm } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Card, Empty, isLoaded, Loading, PageHead } from '../../parts/page.tsx';
import { Paging } from '../../parts/sections.tsx';
import { requireScope, ScopeFields } from '../../parts/scope-fields.tsx';
import { NO_SCOPE, scopeOf } from '../../parts/scope.ts';
import { StatusShape } from '../../parts/status.tsx';
import { useTip } from '../../parts/tip.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { daysAhead } from './ahead.ts';
import { askToEnd, WindowFacts, WindowTime } from './actions.tsx';
import { AnnounceTick, EarlyFields } from './form.tsx';

const { maintenance } = words;

const SECTIONS = ['active', 'upcoming', 'recurring', 'past'] as const;
type Section = (typeof SECTIONS)[number];

function sectionOf({ status, rrule }: MaintenanceWindow): Section {
  if (status === 'active') return 'active';
  if (status === 'over') return 'past';
  return rrule === null ? 'upcoming' : 'recurring';
}

/** Maintenance: what is active now? */
export default function MaintenancePage() {
  const { isAtLeast } = useSession();
  const [page, setPage] = useState(1);
  // The stream says when a window is changed, and not when its time comes.
  const read = useRead(
    'listMaintenanceWindows',
    { query: { page, per_page: 100 } },
    { refetchInterval: 60_000 },
  );
  if (!isLoaded(read)) return <Loading reads={[read]} lines={6} />;
  const windows = read.data.data;
  const active = windows.filter((window) => sectionOf(window) === 'active').length;
  const mayPlan = isAtLeast('editor');
  return (
    <>
      <PageHead
        {...(active > 0 && { displayStatus: 'maintenance' as const })}
        title={active === 0 ? maintenance.none : maintenance.active(active)}
        tabTitle={words.nav.maintenance}
        text={maintenance.headText}
        actions={
          mayPlan && (
            <>
              <Button icon="play" onClick={startNow}>
                {maintenance.startNow}
              </Button>
              <ButtonLink look="primary" icon="plus" href="/maintenance/new">
                {maintenance.plan}
              </ButtonLink>
            </>
          )
        }
      />
      {windows.length === 0 ? (
        <Card>
          <Empty title={maintenance.emptyTitle} text={maintenance.emptyText} />
        </Card>
      ) : (
        <div className="stack">
          {read.data.last_page === 1 && <Ahead windows={windows} />}
          {SECTIONS.map((section) => (
            <Windows
              key={section}
              section={section}
              windows={inOrder(
                section,
                windows.filter((window) => sectionOf(window) === section),
              )}
            />
          ))}
          <Paging page={page} last={read.data.last_page} onChange={setPage} />
        </div>
      )}
    </>
  );
}

/** Days that the strip shows: four weeks. */
const DAYS_AHEAD = 28;

/** The coming weeks, a day beside the other: which of them have maintenance? */
function Ahead({ windows }: { windows: readonly MaintenanceWindow[] }) {
  const { zone } = useSession();
  const now = useNow(60_000);
  const strip = useRef<HTMLOListElement>(null);
  useTip(strip, (target) => target.closest('a')?.querySelector('.vh')?.textContent ?? null);
  const days = daysAhead(windows, { now, zone, days: DAYS_AHEAD });
  if (days.every((day) => day.windows.length === 0)) return null;
  return (
    <Card title={words.maintenance.ahead}>
      <ol className="mt-days" ref={strip}>
        {days.map(({ date, windows: [first, ...others] }) => {
          const [weekday, number, day] = dayWords(date);
          const text = (
            <span aria-hidden="true">
              <span className="xs faint">{weekday}</span>
              {number}
            </span>
          );
          return (
            <li key={date}>
              {first === undefined ? (
                text
              ) : (
                <Link href={`/maintenance/${first.id}`}>
                  {text}
                  <span className="vh">{`${day}: ${[first, ...others].map(({ name }) => name).join(', ')}`}</span>
                  <StatusShape displayStatus="maintenance" isDecoration />
                </Link>
              )}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

/** A day as "Th", its number, and "Thu 31 Jan". */
function dayWords(date: string): string[] {
  const written = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(words.time.locale, { ...options, timeZone: 'UTC' }).format(
      Date.parse(date),
    );
  const short = written({ weekday: 'short' });
  return [
    short.slice(0, 2),
    String(Number(date.slice(8))),
    written({ weekday: 'short', day: 'numeric', month: 'short' }),
  ];
}

/** What is over stands newest first, the rest by what comes first. */
function inOrder(section: Section, windows: MaintenanceWindow[]): MaintenanceWindow[] {
  if (section === 'past') return windows;
  return windows.toSorted((a, b) => when(a).localeCompare(when(b)));
}

function when({ active_until: until, next_starts_at: next }: MaintenanceWindow): string {
  return until ?? next ?? '';
}

function Windows(props: { section: Section; windows: readonly MaintenanceWindow[] }) {
  const { section, windows } = props;
  const { isAtLeast } = useSession();
  if (windows.length === 0) return null;
  const list = (
    <ul className="entry-list">
      {windows.map((window) => (
        <Entry
          key={window.id}
          shape={
            section === 'past' ? (
              <Icon name="check" />
            ) : (
              <StatusShape
                displayStatus={section === 'active' ? 'maintenance' : 'pending'}
                isDecoration
              />
            )
          }
          name={window.name}
          href={`/maintenance/${window.id}`}
          at={<WindowTime window={window} />}
          acts={
            section === 'active' &&
            isAtLeast('editor') && (
              <Button onClick={() => askToEnd(window)}>{maintenance.end}</Button>
            )
          }
        >
          <p className="sub">
            <WindowFacts window={window} />
          </p>
          {section !== 'past' &&
            window.warnings.map((warning) => (
              <p key={warning} className="sub warn">
                {window.monitors_covered === 0 ? maintenance.coversNothing : warning}
              </p>
            ))}
        </Entry>
      ))}
    </ul>
  );
  if (section !== 'past') return <Card title={maintenance.sections[section]}>{list}</Card>;
  return (
    <section className="card">
      <details className="folded">
        <summary>
          {maintenance.sections.past} <span className="faint">{windows.length}</span>
        </summary>
        {list}
      </details>
    </section>
  );
}

const startNow = () => openDialog((onClose) => <StartDialog onClose={onClose} />);

/** Starts maintenance now, for a time. */
function StartDialog({ onClose }: { onClose: () => void }) {
  const { draft, form } = useForm(START_MAINTENANCE, {
    name: '',
    minutes: '60',
    good_rounds: '5',
    announce: true,
    scope: NO_SCOPE,
  });
  const start = async () => {
    const { name, minutes, good_rounds: rounds, scope, announce } = draft;
    requireScope({ scope });
    const body = {
      ...(name.trim() !== '' && { name: name.trim() }),
      minutes: Number(minutes),
      ...scopeOf(scope),
      announce,
      good_rounds: rounds === '' ? null : Number(rounds),
    };
    const started = await call('startMaintenance', { body });
    showToast(maintenance.started(started.name));
    void reread('maintenance-windows', 'monitors');
  };
  return (
    <FormDialog
      title={words.terms.startMaintenance}
      size="large"
      {...form}
      submit={maintenance.startNow}
      onSubmit={start}
      onClose={onClose}
    >
      <fieldset className="fieldset">
        <div className="two">
          <Choose name="minutes" label={words.terms.howLong} texts={maintenance.minutesChoices} />
          <Input
            name="name"
            label={words.labels.name}
            isOptional
            placeholder={words.nav.maintenance}
          />
        </div>
        <ScopeFields />
        <EarlyFields />
        <AnnounceTick />
      </fieldset>
    </FormDialog>
  );
}
