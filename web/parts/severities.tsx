import type { ReactNode } from 'react';
import { SEVERITIES, type Severity } from '../lib/severity.ts';
import { words } from '../words/index.ts';
import { useFieldErrors } from './form.tsx';

/** Boxes for the severities that something applies to. The name of the API's field is `severities`. */
export function SeveritiesField({
  legend,
  value,
  onChange,
}: {
  legend: string;
  value: readonly Severity[];
  onChange: (value: Severity[]) => void;
}): ReactNode {
  return (
    <TickGroup
      name="severities"
      legend={legend}
      choices={SEVERITIES.map((severity) => ({
        value: severity,
        text: words.channels.severities[severity],
        hint: words.channels.severityHints[severity],
      }))}
      value={value}
      onChange={onChange}
    />
  );
}

/** Boxes of which any number is ticked, in the order of the choices. */
export function TickGroup<Value extends string>({
  name,
  legend,
  choices,
  value,
  onChange,
  isInline = false,
}: {
  name: string;
  legend: string;
  choices: readonly { value: Value; text: string; hint?: string }[];
  value: readonly Value[];
  onChange: (value: Value[]) => void;
  isInline?: boolean;
}): ReactNode {
  const [error] = useFieldErrors(name);
  const toggle = (choice: Value, isOn: boolean) =>
    onChange(
      choices
        .map((one) => one.value)
        .filter((one) => (one === choice ? isOn : value.includes(one))),
    );
  return (
    <fieldset className="ticks">
      <legend>{legend}</legend>
      <div className={isInline ? 'ticks-row' : 'ticks-list'}>
        {choices.map((choice) => (
          <label key={choice.value} className="choice">
            <input
              type="checkbox"
              name={name}
              checked={value.includes(choice.value)}
              onChange={(event) => toggle(choice.value, event.target.checked)}
            />
            <span>
              {choice.text}
              {choice.hint !== undefined && <span className="hint">{choice.hint}</span>}
            </span>
          </label>
        ))}
      </div>
      {error && <p className="error">{error}</p>}
    </fieldset>
  );
}
