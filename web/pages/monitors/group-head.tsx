import { memo, type ReactNode } from 'react';
import { Icon } from '../../parts/icon.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { words } from '../../words/index.ts';
import { standingOfAll, type Line } from './rows.ts';
import { groupAside } from './sentences.ts';

/** Head of a group, which opens and closes it. */
export const GroupHead = memo(function GroupHead({
  line: { id, name, rows, isOpen },
  onToggle,
}: {
  line: Extract<Line, { kind: 'group' }>;
  onToggle: (id: number | null) => void;
}): ReactNode {
  const { down, rest } = groupAside(rows);
  const title = name ?? words.monitors.noGroup;
  return (
    <div role="cell">
      <button type="button" className="grp" aria-expanded={isOpen} onClick={() => onToggle(id)}>
        <StatusShape standing={standingOfAll(rows) ?? 'pending'} />
        <span className="clip" title={title}>
          {title}
        </span>
        <span className="n">{rows.length}</span>
        <span className="right">
          {down !== '' && <span className="down b">{down}</span>}
          {down !== '' && rest !== '' && ', '}
          {rest}
        </span>
        <Icon name={isOpen ? 'down' : 'right'} />
      </button>
    </div>
  );
});
