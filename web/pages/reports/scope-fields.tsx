import type { ReactNode } from 'react';
import { Choose, useFieldErrors } from '../../parts/form.tsx';
import { MonitorPicker, useMonitors } from '../../parts/monitor-picker.tsx';
import { words } from '../../words/index.ts';

/** Monitors that a report is about: those that match any of these, and all without. */
export interface ScopeValue {
  monitors: number[];
  groupId: number | null;
  tags: string[];
}

export function ScopeFields({
  value,
  onChange,
}: {
  value: ScopeValue;
  onChange: (value: ScopeValue) => void;
}): ReactNode {
  const w = words.reports;
  const overview = useMonitors();
  const [tagError] = useFieldErrors('tags');
  const tags = [
    ...new Set([
      ...value.tags,
      ...(overview.data?.monitors ?? []).flatMap((monitor) => monitor.tags ?? []),
    ]),
  ].toSorted((a, b) => a.localeCompare(b));
  const toggle = (tag: string, isPicked: boolean) =>
    onChange({
      ...value,
      tags: isPicked ? [...value.tags, tag] : value.tags.filter((one) => one !== tag),
    });
  return (
    <>
      <p className="xs dim">{w.scopeHint}</p>
      <Choose
        name="group_id"
        label={w.group}
        isOptional
        value={value.groupId === null ? '' : String(value.groupId)}
        onChange={(id) => onChange({ ...value, groupId: id === '' ? null : Number(id) })}
        options={[
          { value: '', text: words.common.none },
          ...(overview.data?.groups ?? []).map(({ id, name }) => ({
            value: String(id),
            text: name,
          })),
        ]}
      />
      {tags.length > 0 && (
        <fieldset className="rp-tags">
          <legend>{w.tags}</legend>
          {tags.map((tag) => (
            <label key={tag} className="choice">
              <input
                type="checkbox"
                name="tags"
                checked={value.tags.includes(tag)}
                onChange={(event) => toggle(tag, event.target.checked)}
              />
              <span>{tag}</span>
            </label>
          ))}
          {tagError && <p className="errors">{tagError}</p>}
        </fieldset>
      )}
      <MonitorPicker
        name="monitors"
        label={w.monitors}
        picked={value.monitors}
        onChange={(monitors) => onChange({ ...value, monitors })}
      />
    </>
  );
}
