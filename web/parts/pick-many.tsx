import { useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import type { Named } from '../app/names.ts';
import { words } from '../words/index.ts';
import { useFieldErrors } from './form.tsx';
import { Icon } from './icon.tsx';

/** Number of entries that the list shows; more are found by typing. */
const SHOWN = 30;

/** Something to choose, with what it is where the list has things of several kinds. */
interface Choice<Id extends number | string> extends Named<Id> {
  kind?: string;
}

/** Chooses any number from a list: a field that finds them, with what is chosen above. Works for thousands. */
export function PickMany<Id extends number | string>(props: {
  /** Name of the field in the API. */
  name: string;
  label: string;
  hint?: string;
  all: readonly Choice<Id>[];
  value: readonly Id[];
  onChange: (value: Id[]) => void;
}) {
  const { name, label, hint, all, value, onChange } = props;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [error] = useFieldErrors(name);
  const choices = new Map(all.map((one) => [one.id, one]));
  const nameOf = (one: Id) =>
    choices.get(one)?.name ??
    (typeof one === 'number' ? words.maintenance.unknown(one) : String(one));
  const toggle = (one: Id) =>
    onChange(value.includes(one) ? value.filter((other) => other !== one) : [...value, one]);
  return (
    <fieldset className="pick">
      <legend>{label}</legend>
      {hint !== undefined && <p className="hint">{hint}</p>}
      {value.length > 0 && (
        <ul className="row tight pick-chosen">
          {value.map((one) => (
            <li key={one}>
              <button
                type="button"
                className="pill"
                aria-label={words.labels.removeNamed(nameOf(one))}
                onClick={() => {
                  toggle(one);
                  field.current?.focus();
                }}
              >
                {choices.get(one)?.kind !== undefined && (
                  <span className="faint">{choices.get(one)?.kind}</span>
                )}
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
        <Finder {...{ id, field, name, label, all, value, toggle }} isWrong={error !== undefined} />
      )}
      {error && <p className="error">{error}</p>}
    </fieldset>
  );
}

/** Field with the list of what matches below it, open while the field has the focus. */
function Finder<Id extends number | string>(props: {
  id: string;
  field: RefObject<HTMLInputElement | null>;
  name: string;
  label: string;
  all: readonly Choice<Id>[];
  value: readonly Id[];
  toggle: (one: Id) => void;
  isWrong: boolean;
}) {
  const { id, field, name, label, all, value, toggle, isWrong } = props;
  const [search, setSearch] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const text = search.trim().toLowerCase();
  const found = all.filter((one) => one.name.toLowerCase().includes(text));
  const shown = found.slice(0, SHOWN);
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setOpen(true);
      setActive(Math.min(shown.length - 1, Math.max(0, isOpen ? active + step : active)));
    } else if (event.key === 'Enter') {
      // It chooses, and does not send the form.
      event.preventDefault();
      const one = shown[active];
      if (isOpen && one !== undefined) toggle(one.id);
    } else if (event.key === 'Escape' && isOpen) {
      // The dialog around it stays open, and the browser does not empty the field, which would open the list again.
      event.stopPropagation();
      event.preventDefault();
      setOpen(false);
    } else if (event.key === 'Backspace' && search === '' && value.length > 0) {
      toggle(value.at(-1)!);
    }
  };
  return (
    <div className="relative">
      <input
        ref={field}
        type="search"
        role="combobox"
        className="control"
        name={name}
        value={search}
        autoComplete="off"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={isOpen && shown.length > 0 ? `${id}-${active}` : undefined}
        aria-invalid={isWrong ? true : undefined}
        aria-label={words.maintenance.pickSearch(label)}
        placeholder={words.common.search}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={() => {
          setOpen(false);
          setSearch('');
        }}
        onChange={(event) => {
          setSearch(event.target.value);
          setOpen(true);
          setActive(0);
        }}
        onKeyDown={onKey}
      />
      {isOpen && (
        <div
          id={`${id}-list`}
          role="listbox"
          aria-multiselectable
          aria-label={label}
          // A browser lets Tab stop at what scrolls, and the list closes under it.
          tabIndex={-1}
          className="menu pick-list"
        >
          {shown.map((one, index) => (
            // The field keeps the focus; the list is for the pointer.
            <button
              key={one.id}
              type="button"
              tabIndex={-1}
              id={`${id}-${index}`}
              ref={index === active ? showWhole : null}
              role="option"
              aria-selected={value.includes(one.id)}
              className={index === active ? 'on' : ''}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => toggle(one.id)}
            >
              <i>{value.includes(one.id) && <Icon name="check" />}</i>
              <span className="clip">{one.name}</span>
              {one.kind !== undefined && <span className="xs dim">{one.kind}</span>}
            </button>
          ))}
          {found.length === 0 && <p className="hint">{words.maintenance.pickNone}</p>}
          {found.length > SHOWN && (
            <p className="hint">{words.maintenance.pickMore(found.length - SHOWN)}</p>
          )}
        </div>
      )}
    </div>
  );
}

function showWhole(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
