import { useId, type ReactNode } from 'react';
import { useRead } from '../../app/api.ts';
import { listUsers } from '../../client/sdk.gen.ts';
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
  const people = useRead(['members'], () => listUsers());
  const set = (changes: Partial<AuditFilter>) => onChange({ ...filter, ...changes, page: 1 });
  return (
    <form className="audit-filters" onSubmit={(event) => event.preventDefault()}>
      <Pick
        label={auditLog.person}
        value={filter.user_id}
        options={(people.data?.data ?? []).map(({ id, name }) => [String(id), name])}
        onChange={(user_id) => set({ user_id })}
      />
      <Pick
        label={auditLog.target}
        value={filter.target_type}
        options={Object.entries(auditLog.targets)}
        onChange={(target_type) => set({ target_type, action: '' })}
      />
      <Pick
        label={auditLog.action}
        value={filter.action}
        options={Object.entries(auditLog.actions)
          .filter(([action]) => isOf(action, filter.target_type))
          .map(([action, phrase]) => [action, phrase('…')])}
        onChange={(action) => set({ action })}
      />
      {(['start_date', 'end_date'] as const).map((name) => (
        <div key={name}>
          <label htmlFor={`audit-${name}`}>{auditLog[name]}</label>
          <input
            className="control"
            type="date"
            id={`audit-${name}`}
            value={filter[name]}
            onChange={({ target }) => set({ [name]: target.value })}
          />
        </div>
      ))}
      <Button onClick={() => onChange(readAuditFilter(''))}>{auditLog.showAll}</Button>
    </form>
  );
}

function isOf(action: string, target: string): boolean {
  return target === '' || action.startsWith(`${target}.`);
}

/** List to choose one from, or all. A chosen value that the list does not have stays. */
function Pick({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}): ReactNode {
  const isKnown = value === '' || options.some(([one]) => one === value);
  const id = useId();
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <select
        className="control"
        id={id}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">{words.common.all}</option>
        {!isKnown && <option value={value}>{value}</option>}
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
