import { useId } from 'react';
import { useTeamNames } from '../app/names.ts';
import { words } from '../words/index.ts';
import { useControl, ChoiceInput } from './form.tsx';
import { PickMany } from './pick-many.tsx';
import type { ScopeDraft } from './scope.ts';

/** Chooses all monitors, or some by name, group and tag, in the `scope` of the form's draft. */
export function ScopeFields() {
  const { value, change } = useControl<ScopeDraft>('scope');
  const id = useId();
  const names = useTeamNames();
  const { maintenance } = words;
  const choice = (isAll: boolean, text: string) => (
    <ChoiceInput
      type="radio"
      name={`${id}-scope`}
      checked={value.isAll === isAll}
      text={text}
      onChange={() => change({ ...value, isAll })}
    />
  );
  return (
    <>
      <div className="ticks-list" role="radiogroup" aria-label={maintenance.scope}>
        {choice(true, maintenance.scopeAll)}
        {choice(false, maintenance.scopeSome)}
      </div>
      {!value.isAll && (
        <>
          <p className="notice">{maintenance.scopeHint}</p>
          <PickMany
            name="monitors"
            label={words.nav.monitors}
            all={names.monitors}
            value={value.monitors}
            onChange={(monitors) => change({ ...value, monitors })}
          />
          <div className="pair">
            <PickMany
              name="groups"
              label={maintenance.groups}
              all={names.groups}
              value={value.groups}
              onChange={(groups) => change({ ...value, groups })}
            />
            <PickMany
              name="tags"
              label={words.labels.tags}
              all={names.tags.map((tag) => ({ id: tag, name: tag }))}
              value={value.tags}
              onChange={(tags) => change({ ...value, tags })}
            />
          </div>
        </>
      )}
    </>
  );
}
