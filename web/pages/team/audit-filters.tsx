import { useState, type ReactNode } from 'react';
import { Button } from '../../parts/button.tsx';
import { words } from '../../words/index.ts';
import { readAuditFilter, type AuditFilter } from './audit-filter.ts';

/** Choices of what the log shows. */
export function AuditFilters({
  filter,
  onChange,
}: {
  filter: AuditFilter;
  onChange: (filter: AuditFilter) => void;
}): ReactNode {
  const { auditLog } = words;
  const [action, setAction] = useState(filter.action);
  const set = (changes: Partial<AuditFilter>) => onChange({ ...filter, ...changes, page: 1 });
  return (
    <form
      className="audit-filters"
      onSubmit={(event) => {
        event.preventDefault();
        set({ action: action.trim() });
      }}
    >
      <label>
        <span>{auditLog.target}</span>
        <select
          className="control"
          value={filter.target_type}
          onChange={({ target }) => set({ target_type: target.value })}
        >
          <option value="">{words.common.all}</option>
          {Object.entries(auditLog.targets).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{auditLog.action}</span>
        <input
          className="control"
          value={action}
          placeholder="monitor.paused"
          onChange={({ target }) => setAction(target.value)}
          onBlur={() => action.trim() !== filter.action && set({ action: action.trim() })}
        />
      </label>
      {(['start_date', 'end_date'] as const).map((name) => (
        <label key={name}>
          <span>{auditLog[name]}</span>
          <input
            className="control"
            type="date"
            value={filter[name]}
            onChange={({ target }) => set({ [name]: target.value })}
          />
        </label>
      ))}
      <Button
        onClick={() => {
          setAction('');
          onChange(readAuditFilter(''));
        }}
      >
        {auditLog.showAll}
      </Button>
    </form>
  );
}
