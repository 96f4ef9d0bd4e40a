import type { ReactNode } from 'react';

export interface Choice<Value extends string> {
  value: Value;
  text: ReactNode;
  /** Name for screen readers where `text` is a shape. */
  label?: string;
}

/** Buttons of which one is pressed. */
export function Segmented<Value extends string>(props: {
  label: string;
  choices: readonly Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  const { label, choices, value, onChange } = props;
  return (
    <div className="seg" role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          {...(choice.label !== undefined && { 'aria-label': choice.label })}
          onClick={() => onChange(choice.value)}
        >
          {choice.text}
        </button>
      ))}
    </div>
  );
}
