import { memo, useState, type ReactNode } from 'react';
import { useNow } from '../../app/clock.ts';
import { BASE } from '../../app/place.ts';
import type { Places } from '../../app/regions.ts';
import { useSession } from '../../app/session.ts';
import { milliseconds, percent } from '../../lib/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { STATUS_CLASS, StatusShape } from '../../parts/status.tsx';
import { TimeBar } from '../../parts/bars.tsx';
import { Since } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { votesNow, type Row } from './rows.ts';
import { subtitle, viewsLabel } from './sentences.ts';

/** Time after which words such as "2 min ago" are written anew. */
const WORDS_STEP_MS = 30_000;

/** What can be done with a row. */
export interface RowActions {
  /** Null for people who may change nothing. `isRange` for a click with shift. */
  select: ((id: number, isRange: boolean) => void) | null;
  openMenu: (row: Row, anchor: HTMLElement) => void;
}

/** A monitor in the list: the cells of a row. */
export const MonitorRow = memo(function MonitorRow(props: {
  row: Row;
  regions: readonly string[];
  places: Places;
  isSelected: boolean;
  actions: RowActions;
}) {
  const { row, regions, places, isSelected, actions } = props;
  const { monitor, displayStatus } = row;
  const { id, name } = monitor;
  const { zone } = useSession();
  // What is not observed says for how long, as the sentence above the list does.
  const now = useNow(displayStatus === 'unknown' ? 5_000 : WORDS_STEP_MS);
  const [isChanged, forget] = useChanged(displayStatus);
  const line = subtitle(monitor, displayStatus, { now, zone });
  const tone = ['offline', 'degraded'].includes(displayStatus) ? STATUS_CLASS[displayStatus] : '';
  const className = ['m', isSelected && 'selected', isChanged && 'm-changed'];
  return (
    <div
      className={className.filter(Boolean).join(' ')}
      data-row
      data-monitor={id}
      {...(actions.select !== null && { 'data-edit-path': `/monitors/${id}/edit` })}
      onAnimationEnd={forget}
    >
      <span role="cell" className="m-mark">
        <StatusShape displayStatus={displayStatus} />
        {actions.select !== null && (
          <input
            type="checkbox"
            className="m-tick"
            checked={isSelected}
            aria-label={words.monitors.select(name)}
            onClick={({ shiftKey }) => actions.select?.(id, shiftKey)}
            onChange={() => {}}
          />
        )}
      </span>
      <div role="cell" className="what">
        <div className="name">
          <a className="b clip" href={`${BASE}/monitors/${id}`} title={name}>
            {name}
          </a>
          <Tags monitor={monitor} />
        </div>
        <div className="sub xs faint clip" title={line}>
          {tone === '' ? line : <span className={tone}>{line}</span>}
        </div>
      </div>
      <Regions letters={votesNow(monitor)} {...{ regions, places }} />
      <div role="cell" className="b24">
        <TimeBar slots={monitor.bar} label={words.labels.lastDay} />
      </div>
      <Now row={row} />
      <Uptime value={monitor.uptime_90d} observed={monitor.observed_90d} />
      <div role="cell" className="m-acts">
        <button
          type="button"
          className="kebab"
          aria-haspopup="menu"
          aria-label={words.common.actionsFor(name)}
          onClick={({ currentTarget }) => actions.openMenu(row, currentTarget)}
        >
          <Icon name="more" />
        </button>
      </div>
    </div>
  );
});

/** Whether a value has changed since the row appeared, until that was shown. */
function useChanged(value: unknown): [boolean, () => void] {
  const [before, setBefore] = useState(value);
  const [isChanged, setChanged] = useState(false);
  if (before !== value) {
    setBefore(value);
    setChanged(true);
  }
  return [isChanged, () => setChanged(false)];
}

/** Tags that a row has room for; the others are counted, and named on hover. */
const MAX_TAGS = 2;

function Tags({ monitor: { type, tags = [] } }: { monitor: Row['monitor'] }) {
  const more = tags.length - MAX_TAGS;
  if (type === 'http' && tags.length === 0) return null;
  return (
    <span className="m-tags wide">
      {type !== 'http' && <span className="tag">{type}</span>}
      {tags.slice(0, MAX_TAGS).map((tag) => (
        <span key={tag} className="tag clip" title={tag}>
          {tag}
        </span>
      ))}
      {more > 0 && (
        <span className="tag" title={tags.slice(MAX_TAGS).join(', ')}>
          +{more}
        </span>
      )}
    </span>
  );
}

const SQUARES: Record<string, string> = { u: '', d: 'down', '?': 'none' };

/** A cell of a row; a dash where it has no content. Not a component: a list has hundreds. */
const cell = (className: string, content: ReactNode, title?: string) => (
  <div role="cell" className={className} title={title}>
    {content ?? <span className="faint">–</span>}
  </div>
);

function Regions(props: {
  letters: string | undefined;
  regions: readonly string[];
  places: Places;
}) {
  const { letters, regions, places } = props;
  if (letters === undefined) return cell('regs wide', null);
  const views = places.views(letters, regions);
  return cell(
    'regs wide',
    <>
      <span role="img" aria-label={viewsLabel(views)} title={viewsLabel(views)}>
        {views.map(({ name, letter }) => (
          <i key={name} className={SQUARES[letter] ?? 'none'} />
        ))}
      </span>
      {views.length === 1 && views[0]!.isShared && (
        <span className="xs faint block clip m-place" aria-hidden="true">
          {views[0]!.name}
        </span>
      )}
    </>,
  );
}

/** Newest response time; for how long it is down while it is. */
function Now({ row: { monitor, displayStatus } }: { row: Row }) {
  const { response_ms: ms, since } = monitor;
  if (displayStatus === 'offline') {
    const down = (
      <span className="down b">
        <Since time={since * 1_000} />
      </span>
    );
    return cell('num ms', down);
  }
  if (ms === undefined || displayStatus === 'paused' || displayStatus === 'unknown')
    return cell('num ms', null);
  return cell(
    'num ms',
    <>
      <span className={displayStatus === 'degraded' ? 'warn' : ''}>{milliseconds(ms)}</span>
      <span className="faint u">ms</span>
    </>,
  );
}

/** Share of the time from which on it is not worth a line that the rest was not observed, in percent. */
const OBSERVED_ENOUGH = 99;

function Uptime(props: { value: number | undefined; observed: number | undefined }) {
  const { value, observed = 100 } = props;
  if (value === undefined) return cell('num up90 wide', null);
  const uptime = percent(value);
  return cell(
    'num up90 wide',
    <>
      {uptime}
      <span className="faint u">%</span>
      {observed < OBSERVED_ENOUGH && (
        <small className="xs faint block nowrap">
          {words.labels.observed(String(Math.floor(observed)))}
        </small>
      )}
    </>,
    words.monitors.uptimeOf(uptime, percent(observed)),
  );
}
