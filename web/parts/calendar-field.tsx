import { useRef, type ComponentProps } from 'react';
import { words } from '../words/index.ts';
import { FieldFrame, useControl, type FieldProps } from './form.tsx';
import { Icon } from './icon.tsx';

interface CalendarProps {
  type: 'date' | 'datetime-local';
  /** As native fields of the type have it: 2030-01-31 or 2030-01-31T14:02; what is typed may be anything. */
  value: string;
  onChange: (value: string) => void;
}

/**
 * Text of a day or a moment in the order of ISO 8601, and a button that opens the calendar of the browser. Native fields have
 * the order of the browser's language, which may be another one than that of the page.
 */
export function CalendarInput(
  props: CalendarProps & Omit<ComponentProps<'input'>, keyof CalendarProps>,
) {
  const { type, value, onChange, ...rest } = props;
  const native = useRef<HTMLInputElement>(null);
  const { calendar } = words.incidents;
  return (
    <span className="calendar">
      <input
        className="control"
        autoComplete="off"
        placeholder={type === 'date' ? calendar.day : calendar.moment}
        {...rest}
        value={value.replace('T', ' ')}
        onChange={(event) => onChange(event.target.value.replace(/^(\S+) (?=\d)/, '$1T'))}
      />
      <button
        type="button"
        aria-label={calendar.open}
        title={calendar.open}
        onClick={() => native.current?.showPicker()}
      >
        <Icon name="calendar" />
      </button>
      <input
        ref={native}
        type={type}
        tabIndex={-1}
        aria-hidden="true"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </span>
  );
}

/** Field with a day or a moment of the form's draft. */
export function CalendarField(props: FieldProps & Pick<CalendarProps, 'type'>) {
  const { name, label, hint, isOptional = false, type } = props;
  const { value, change } = useControl<string>(name);
  return (
    <FieldFrame {...{ name, label, hint, isOptional }}>
      {(attributes) => (
        <CalendarInput type={type} value={value} onChange={change} {...attributes} />
      )}
    </FieldFrame>
  );
}
