import { useRef, useState, type ComponentProps } from 'react';
import { words } from '../words/index.ts';
import { Icon } from './icon.tsx';

/** What each kind of field holds when it is complete, as native fields of the type have it. */
const COMPLETE = {
  date: /^\d{4}-\d\d-\d\d$/,
  'datetime-local': /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/,
  time: /^\d\d:\d\d$/,
};

type CalendarType = keyof typeof COMPLETE;

/** Whether a type of input is a day, a moment or a time of day. */
export function isCalendar(type: string | undefined): type is CalendarType {
  return type !== undefined && type in COMPLETE;
}

/** Value of what was typed, such as 2030-01-31 for "31.1.2030"; null while that is incomplete or no date. Pure. */
export function calendarValue(type: CalendarType, text: string): string | null {
  const value = text
    .trim()
    .replace(/^(\d\d?)\. ?(\d\d?)\. ?(\d{4})/, (_, ...[day, month, year]: string[]) =>
      [year, month!.padStart(2, '0'), day!.padStart(2, '0')].join('-'),
    )
    .replace(/^(\S+) (?=\d)/, '$1T');
  if (value === '') return value;
  const day = new Date(value.slice(0, 10)).getUTCDate();
  // A day that does not exist is read as one of the next month.
  const isReal = type === 'time' || day === Number(value.slice(8, 10));
  return COMPLETE[type].test(value) && isReal ? value : null;
}

/**
 * Text of a day, a moment or a time of day in the order of ISO 8601, and a button that opens the calendar of the browser.
 * Native fields have the order of the browser's language, which may be another one than that of the page. It changes with
 * what is complete or empty; anything else is handed on when the field is left, so that the API says what is wrong with it, and
 * stays in the field where nobody took it.
 */
export function CalendarInput(
  props: Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'type'> & {
    type: CalendarType;
    /** As native fields have it: 2030-01-31, 2030-01-31T14:02 or 14:02. */
    value: string;
    onChange: (value: string) => void;
  },
) {
  const { type, value, onChange, ...rest } = props;
  const native = useRef<HTMLInputElement>(null);
  const [kept, setKept] = useState<{ text: string; beside: string } | null>(null);
  /** Text that is no value, until there is another one. */
  const typed = kept?.beside === value ? kept.text : null;
  const { calendar } = words.fields;
  const set = (text: string) => {
    const next = calendarValue(type, text);
    setKept(next === null ? { text, beside: value } : null);
    if (next !== null) onChange(next);
  };
  const handOn = () => typed !== null && onChange(typed);
  return (
    <span className="calendar">
      <input
        className="control"
        autoComplete="off"
        placeholder={calendar[type]}
        {...rest}
        aria-invalid={rest['aria-invalid'] ?? (typed === null ? undefined : true)}
        value={(typed ?? value).replace('T', ' ')}
        onChange={(event) => set(event.target.value)}
        onBlur={handOn}
        onKeyDown={({ key }) => key === 'Enter' && handOn()}
      />
      <button
        type="button"
        aria-label={calendar.open}
        title={calendar.open}
        onClick={() => native.current?.showPicker()}
      >
        <Icon name={type === 'time' ? 'clock' : 'calendar'} />
      </button>
      <input
        ref={native}
        type={type}
        tabIndex={-1}
        aria-hidden="true"
        value={calendarValue(type, value) ?? ''}
        onChange={(event) => set(event.target.value)}
      />
    </span>
  );
}

/** A day that filters once it is complete. */
export function DayInput(props: { label: string; value: string; onChange: (day: string) => void }) {
  const { label, value, onChange } = props;
  return (
    <CalendarInput
      type="date"
      aria-label={label}
      value={value}
      onChange={(day) => {
        if (calendarValue('date', day) !== null) onChange(day);
      }}
    />
  );
}
