import { useId, useState } from 'react';
import type { Named } from '../app/names.ts';
import { words } from '../words/index.ts';
import { useFieldErrors } from './form.tsx';
import { Icon } from './icon.tsx';

/** Number of entries that the list shows; more are found by typing. */
const SHOWN = 30;

/** Chooses any number from a list: what is chosen above, a search, and boxes. Works for thousands. */
export function PickMany<Id extends number | string>(props: {
  /** Name of the field in the API. */
  name: string;
  label: string;
  all: readonly Named<Id>[];
  value: readonly Id[];
  onChange: (value: Id[]) => void;
}) {
  const { name, label, all, value, onChange } = props;
  const id = useId();
  const [search, setSearch] = useState('');
  const [error] = useFieldErrors(name);
  const names = new Map(all.map((one) => [one.id, one.name]));
  const nameOf = (one: Id) =>
    names.get(one) ?? (typeof one === 'number' ? words.maintenance.unknown(one) : String(one));
  const found = all.filter((one) => one.name.toLowerCase().includes(search.trim().toLowerCase()));
  const toggle = (one: Id, isOn: boolean) =>
    onChange(isOn ? [...value, one] : value.filter((other) => other !== one));
  return (
    <fieldset className="pick">
      <legend>{label}</legend>
      {value.length > 0 && (
        <ul className="pick-chosen">
          {value.map((one) => (
            <li key={one}>
              <button
                type="button"
                className="pill"
                aria-label={words.labels.removeNamed(nameOf(one))}
                onClick={() => toggle(one, false)}
              >
                <span className="clip">{nameOf(one)}</span>
                <Icon name="cross" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {all.length === 0 ? (
        <p className="hint">{words.maintenance.pickEmpty}</p>
      ) : (
        <div className="pick-box">
          {all.length > 8 && (
            <input
              type="search"
              className="control"
              name={name}
              value={search}
              aria-label={words.maintenance.pickSearch(label)}
              placeholder={words.common.search}
              onChange={(event) => setSearch(event.target.value)}
              onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
            />
          )}
          {/* Scrolls by keyboard too, since its boxes take the focus. */}
          <ul className="pick-list">
            {found.slice(0, SHOWN).map((one, index) => (
              <li key={one.id}>
                <label className="choice" htmlFor={`${id}-${index}`}>
                  <input
                    id={`${id}-${index}`}
                    type="checkbox"
                    {...(all.length <= 8 && { name })}
                    checked={value.includes(one.id)}
                    onChange={(event) => toggle(one.id, event.target.checked)}
                  />
                  <span className="clip" title={one.name}>
                    {one.name}
                  </span>
                </label>
              </li>
            ))}
            {found.length === 0 && <li className="hint">{words.maintenance.pickNone}</li>}
            {found.length > SHOWN && (
              <li className="hint">{words.maintenance.pickMore(found.length - SHOWN)}</li>
            )}
          </ul>
        </div>
      )}
      {error && <p className="error">{error}</p>}
    </fieldset>
  );
}
