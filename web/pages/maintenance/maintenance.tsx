import { useState } from 'react';
import { reread, useRead } from '../../app/api.ts';
import { call, type MaintenanceWindow } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { START_MAINTENANCE } from '../../app/fields.gen.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Entry } from '../../parts/entry.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Choose, Input, useForm } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Card, Empty, isLoaded, Loading, PageHead, Paging } from '../../parts/page.tsx';
import { ScopeFields } from '../../parts/scope-fields.tsx';
import { NO_SCOPE, scopeOf } from '../../parts/scope.ts';
import { StatusShape } from '../../parts/status.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { askToEnd, WindowFacts, WindowTime } from './actions.tsx';
import { EarlyFields, requireScope } from './form.tsx';

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
  const [isStarting, setStarting] = useState(false);
  const [page, setPage] = useState(1);
  // The stream says when a window is changed, and not when its time comes.
  const read = useRead(
    'listMaintenanceWindows',
    { query: { page, per_page: 100 } },
    { refetchInterval: 60_000 },
  );
  if (!isLoaded(read)) return <Loading reads={[read]} lines={6} />;
  const { maintenance } = words;
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
              <Button icon="play" onClick={() => setStarting(true)}>
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
      {isStarting && <StartDialog onClose={() => setStarting(false)} />}
    </>
  );
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
  const { maintenance } = words;
  if (windows.length === 0) return null;
  return (
    <Card title={maintenance.sections[section]}>
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
    </Card>
  );
}

/** Starts maintenance now, for a time. */
function StartDialog({ onClose }: { onClose: () => void }) {
  const { maintenance } = words;
  const { draft, form } = useForm(START_MAINTENANCE, {
    name: '',
    minutes: '60',
    good_rounds: '5',
    scope: NO_SCOPE,
  });
  const start = async () => {
    requireScope(draft);
    const { name, minutes, good_rounds: rounds, scope } = draft;
    const body = {
      ...(name.trim() !== '' && { name: name.trim() }),
      minutes: Number(minutes),
      ...scopeOf(scope),
      good_rounds: rounds === '' ? null : Number(rounds),
    };
    const started = await call('startMaintenance', { body });
    showToast(maintenance.started(started.name));
    void reread('maintenance-windows', 'monitors');
  };
  return (
    <FormDialog
      title={maintenance.start}
      size="large"
      {...form}
      submit={maintenance.startNow}
      onSubmit={start}
      onClose={onClose}
    >
      <fieldset className="fieldset">
        <div className="pair">
          <Choose name="minutes" label={maintenance.minutes} texts={maintenance.minutesChoices} />
          <Input
            name="name"
            label={words.labels.name}
            isOptional
            placeholder={words.nav.maintenance}
          />
        </div>
        <ScopeFields />
        <EarlyFields />
      </fieldset>
    </FormDialog>
  );
}
