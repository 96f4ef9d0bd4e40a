import { memo, type MouseEvent, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useNow } from '../../app/clock.ts';
import { useSession } from '../../app/session.tsx';
import { duration, milliseconds, percent } from '../../lib/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { STANDING_CLASS, StatusShape } from '../../parts/status.tsx';
import { TimeBar } from '../../parts/time-bar.tsx';
import { words } from '../../words/index.ts';
import type { Row } from './rows.ts';
import { regionsLabel, subtitle } from './sentences.ts';

/** Time after which words such as "2 min ago" are written anew, in milliseconds. */
const WORDS_STEP_MS = 30_000;

/** A monitor in the list. */
export const MonitorRow = memo(function MonitorRow({
  row,
  regions,
  isSelected,
  isSelecting,
  onSelect,
  onMenu,
}: {
  row: Row;
  regions: readonly string[];
  isSelected: boolean;
  isSelecting: boolean;
  onSelect: (id: number, event: MouseEvent) => void;
  onMenu: (row: Row, anchor: HTMLElement) => void;
}): ReactNode {
  const { monitor, standing } = row;
  const { zone } = useSession();
  const now = useNow(WORDS_STEP_MS);
  const line = subtitle(monitor, standing, { now, zone });
  const tone = ['offline', 'degraded'].includes(standing) ? STANDING_CLASS[standing] : '';
  return (
    <div className={isSelected ? 'm selected' : 'm'} data-row data-monitor={monitor.id}>
      <span className="m-mark">
        <StatusShape standing={standing} />
        <input
          type="checkbox"
          className={isSelecting ? 'm-tick shown' : 'm-tick'}
          checked={isSelected}
          aria-label={words.monitors.select(monitor.name)}
          onClick={(event) => onSelect(monitor.id, event)}
          onChange={() => {}}
        />
      </span>
      <div className="what">
        <div className="name">
          <Link href={`/monitors/${monitor.id}`} title={monitor.name}>
            {monitor.name}
          </Link>
          {monitor.type !== 'http' && <span className="tag wide">{words.types[monitor.type]}</span>}
          {(monitor.tags ?? []).slice(0, 2).map((tag) => (
            <span key={tag} className="tag wide">
              {tag}
            </span>
          ))}
        </div>
        <div className="sub" title={line}>
          {tone === '' ? line : <span className={tone}>{line}</span>}
        </div>
      </div>
      <Regions letters={monitor.regions} regions={regions} />
      <div className="b24">
        <TimeBar slots={monitor.bar} label={words.monitors.lastDay} />
      </div>
      <Now row={row} now={now} />
      <Uptime value={monitor.uptime_90d} observed={monitor.observed_90d} />
      <button
        type="button"
        className="kebab wide"
        aria-haspopup="menu"
        aria-label={words.common.actionsFor(monitor.name)}
        onClick={({ currentTarget }) => onMenu(row, currentTarget)}
      >
        <Icon name="more" />
      </button>
    </div>
  );
});

const SQUARES: Record<string, string> = { u: '', d: 'down', '?': 'none' };

function Regions({
  letters,
  regions,
}: {
  letters: string | undefined;
  regions: readonly string[];
}): ReactNode {
  if (letters === undefined) {
    return (
      <div className="regs wide">
        <span className="faint xs">–</span>
      </div>
    );
  }
  return (
    <div className="regs wide" role="img" aria-label={regionsLabel(letters, regions)}>
      {[...letters].map(
        (letter, index) =>
          letter !== '-' && <i key={regions[index]} className={SQUARES[letter] ?? 'none'} />,
      )}
    </div>
  );
}

/** Newest response time; for how long it is down while it is. */
function Now({ row: { monitor, standing }, now }: { row: Row; now: number }): ReactNode {
  if (standing === 'offline') {
    return (
      <div className="num ms">
        <span className="down b">{duration(now - monitor.since * 1_000, words.time)}</span>
      </div>
    );
  }
  if (monitor.response_ms === undefined || standing === 'paused') {
    return (
      <div className="num ms">
        <span className="faint">–</span>
      </div>
    );
  }
  return (
    <div className="num ms">
      <span className={standing === 'degraded' ? 'warn' : ''}>
        {milliseconds(monitor.response_ms, words.time.locale)}
      </span>
      <span className="u">ms</span>
    </div>
  );
}

function Uptime({
  value,
  observed,
}: {
  value: number | undefined;
  observed: number | undefined;
}): ReactNode {
  if (value === undefined) {
    return (
      <div className="num up90 wide">
        <span className="faint">–</span>
      </div>
    );
  }
  return (
    <div className="num up90 wide">
      {percent(value, words.time.locale)}
      <span className="u">%</span>
      {observed !== undefined && (
        <small>{words.monitors.observed(percent(observed, words.time.locale))}</small>
      )}
    </div>
  );
}
