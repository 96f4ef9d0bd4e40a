import type { Report } from '../../app/api.gen.ts';
import { ChooseId, useFieldErrors } from '../../parts/form.tsx';
import { MonitorPicker, useMonitors } from '../../parts/monitor-picker.tsx';
import { words } from '../../words/index.ts';

/** Monitors that a report is about: those that match any of these, and all without. */
export type ReportScope = Pick<Report, 'monitors' | 'group_id' | 'tags'>;

export function ScopeFields({
  value: { monitors, group_id, tags: picked },
  onChange,
}: {
  value: ReportScope;
  onChange: (change: Partial<ReportScope>) => void;
}) {
  const w = words.reports;
  const overview = useMonitors();
  const [tagError] = useFieldErrors('tags');
  const tags = [
    ...new Set([
      ...picked,
      ...(overview.data?.monitors ?? []).flatMap((monitor) => monitor.tags ?? []),
    ]),
  ].toSorted((a, b) => a.localeCompare(b));
  const toggle = (tag: string, isPicked: boolean) =>
    onChange({ tags: isPicked ? [...picked, tag] : picked.filter((one) => one !== tag) });
  return (
    <>
      <p className="xs dim">{w.scopeHint}</p>
      <ChooseId
        name="group_id"
        label={words.labels.group}
        isOptional
        value={group_id}
        onChange={(id) => onChange({ group_id: id })}
        none={words.common.none}
        all={overview.data?.groups ?? []}
      />
      {tags.length > 0 && (
        <fieldset className="rp-tags">
          <legend>{words.labels.tags}</legend>
          {tags.map((tag) => (
            <label key={tag} className="choice">
              <input
                type="checkbox"
                name="tags"
                checked={picked.includes(tag)}
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
        label={words.nav.monitors}
        picked={monitors}
        onChange={(ids) => onChange({ monitors: ids })}
      />
    </>
  );
}
