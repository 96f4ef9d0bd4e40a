import { useId } from 'react';
import { ApiError } from '../app/client.ts';
import { useTeamNames } from '../app/names.ts';
import { words } from '../words/index.ts';
import { useControl, ChoiceInput } from './form.tsx';
import { PickMany } from './pick-many.tsx';
import { lacksScope, type ScopeDraft } from './scope.ts';

/** Throws an ApiError when a scope is lacking, also for a name that is: the API, which would say it, is not asked. */
export function requireScope({ scope, name }: { scope: ScopeDraft; name?: string }): void {
  if (!lacksScope(scope)) return;
  const errors = { monitors: [words.maintenance.scopeNeeded] };
  throw new ApiError(0, {
    errors: name?.trim() === '' ? { name: ['name is required.'], ...errors } : errors,
  });
}

/** Chooses all monitors, or some by name, group and tag, in the `scope` of the form's draft. */
export function ScopeFields() {
  const { value, change } = useControl<ScopeDraft>('scope');
  const id = useId();
  const names = useTeamNames();
  const { maintenance, labels } = words;
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
        <PickMany
          name="monitors"
          label={maintenance.scopeWhich}
          hint={maintenance.scopeHint}
          all={[
            ...names.groups.map((one) => ({ ...one, id: `group ${one.id}`, kind: labels.group })),
            ...names.tags.map((tag) => ({ id: `tag ${tag}`, name: tag, kind: words.monitors.tag })),
            ...names.monitors.map(({ id: monitor, name }) => ({ id: `monitor ${monitor}`, name })),
          ]}
          value={[
            ...value.groups.map((one) => `group ${one}`),
            ...value.tags.map((tag) => `tag ${tag}`),
            ...value.monitors.map((one) => `monitor ${one}`),
          ]}
          onChange={(chosen) =>
            change({
              ...value,
              groups: ofKind('group', chosen).map(Number),
              tags: ofKind('tag', chosen),
              monitors: ofKind('monitor', chosen).map(Number),
            })
          }
        />
      )}
    </>
  );
}

/** What is chosen of a kind, without its word. */
function ofKind(kind: string, chosen: readonly string[]): string[] {
  return chosen.flatMap((one) => (one.startsWith(`${kind} `) ? [one.slice(kind.length + 1)] : []));
}
