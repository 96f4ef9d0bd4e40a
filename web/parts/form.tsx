import {
  createContext,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type ChangeEvent,
  type ComponentProps,
  type ReactNode,
  type RefObject,
} from 'react';
import { ApiError } from '../app/client.ts';
import type { Limits } from '../app/fields.gen.ts';
import { words } from '../words/index.ts';
import { Button } from './button.tsx';
import { CalendarInput, isCalendar } from './calendar-input.tsx';
import { Icon } from './icon.tsx';
import { fieldOf, withLabels } from './field-labels.ts';

/** What the controls of a form find by their names, which are those of the API's fields. */
interface FormState {
  /** Errors of the last attempt to save, of fields that were not changed since. */
  errors: Record<string, string[]>;
  fields: Limits;
  texts: FieldTexts;
  draft: Readonly<Record<string, unknown>>;
  set: (change: Record<string, unknown>) => void;
}

/** What the controls of a form say unless they say it themselves, by the names of their fields. */
type FieldTexts = Readonly<Record<string, readonly string[]>>;

const FormContext = createContext<FormState>({
  errors: {},
  fields: {},
  texts: {},
  draft: {},
  set: () => {},
});

/**
 * What a form edits, how it was sent last (or began), and a function that changes some of it.
 *
 * @param fields limits of its fields (app/fields.gen.ts); null for none.
 * @returns `form`, to be spread into `<Form>` or `<FormDialog>`.
 */
export function useForm<Draft extends object>(
  fields: Limits | null,
  initial: Draft | (() => Draft),
) {
  const [draft, setDraft] = useState(initial);
  const [saved, onSaved] = useState(draft);
  const set = (change: Partial<Draft>) => setDraft((former) => ({ ...former, ...change }));
  return { draft, saved, set, form: { fields, draft, set, onSaved } };
}

/** A limit on a longer text would cut what is pasted, unseen: the API says that it is too long. */
const MAX_CUT_LENGTH = 255;

/** Value of a control and how it changes: as given, or in the draft of the form; and the limits of its field. */
export function useControl<Value>(name: string, { value, onChange }: Controlled<Value> = {}) {
  const { draft, set, fields } = useContext(FormContext);
  const { maxLength = Infinity, min, max, choices } = fields[name.replaceAll(/\.\d+/g, '')] ?? {};
  const shown = value ?? (draft[name] as Value);
  const change = onChange ?? ((next: Value) => set({ [name]: next }));
  return {
    value: shown,
    change,
    choices,
    /** Attributes of an element in which it is typed. */
    typed: {
      ...(maxLength <= MAX_CUT_LENGTH && { maxLength }),
      ...(max !== undefined && { type: 'number', min, max }),
      value: shown as string,
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        change(event.target.value as Value),
    },
  };
}

/** What a control is given: nothing of it where it edits the draft of its form. */
interface Controlled<Value> {
  value?: Value;
  onChange?: (value: Value) => void;
}

/**
 * Form that sends when submitted, keeps what was typed, and shows the API's errors at their fields, with a list of links to
 * them above. Controls have the names of the API's fields. They edit `draft`, within the limits that the table of fields
 * (app/fields.gen.ts) has for their names.
 */
export function Form<Draft extends object>({
  fields = null,
  draft = {} as Draft,
  set = () => {},
  onSaved = () => {},
  submit,
  onSubmit,
  onCancel,
  children,
  actions,
  isPrimary = true,
  isHeld = false,
  live,
  texts = {},
}: {
  texts?: FieldTexts;
  fields?: Limits | null;
  draft?: Draft;
  set?: (change: Partial<Draft>) => void;
  /** Called with what was sent. */
  onSaved?: (sent: Draft) => void;
  /** Word on the button. */
  submit: string;
  /** Sends the form. Throws an ApiError, which is shown. */
  onSubmit: () => Promise<unknown>;
  onCancel?: () => void;
  children: ReactNode;
  /** Further buttons. */
  actions?: ReactNode;
  isPrimary?: boolean;
  /** Whether it can't be sent now. */
  isHeld?: boolean;
  /** Errors of what is typed now, in place of those of the last attempt to save; null for none of them yet. */
  live?: Record<string, string[]> | null;
}) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<
    (Pick<ApiError, 'message' | 'errors'> & { sent: Draft }) | null
  >(null);
  const form = useRef<HTMLFormElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== null) summary.current?.focus();
  }, [error]);
  const send = async () => {
    if (isBusy || isHeld) return;
    setBusy(true);
    setError(null);
    try {
      await onSubmit();
      onSaved(draft);
    } catch (problem) {
      const { message, errors: found } =
        problem instanceof ApiError ? problem : { message: String(problem), errors: {} };
      setError({ message, errors: withLabels(found, form.current), sent: draft });
    } finally {
      setBusy(false);
    }
  };
  const errors = error?.errors ?? {};
  const current = Object.entries(errors).filter(
    ([name]) => valueAt(draft, name) === valueAt(error!.sent, name),
  );
  return (
    <FormContext
      value={{
        errors: live ?? Object.fromEntries(current),
        fields: fields ?? {},
        texts,
        draft: draft as FormState['draft'],
        set: set as FormState['set'],
      }}
    >
      <form
        ref={form}
        noValidate
        aria-busy={isBusy}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {error !== null && (
          <div className="pad">
            <div className="errors" role="alert" tabIndex={-1} ref={summary}>
              <Icon name="incidents" />
              <div>
                {Object.keys(errors).length === 0 ? (
                  <p>{error.message}</p>
                ) : (
                  <ErrorList errors={errors} form={form} />
                )}
              </div>
            </div>
          </div>
        )}
        {children}
        <div className="row over form-end">
          <Button
            type="submit"
            look={isPrimary ? 'primary' : 'plain'}
            isDisabled={isBusy || isHeld}
          >
            {submit}
          </Button>
          {onCancel && <Button onClick={onCancel}>{words.common.cancel}</Button>}
          {actions}
        </div>
      </form>
    </FormContext>
  );
}

/** Value that a draft has for a field such as `settings.topic`. What is not in it is of a scope, which is edited as a whole. */
function valueAt(draft: object, name: string): unknown {
  const values = draft as Record<string, unknown>;
  const [first = '', ...parts] = name.split('.');
  return parts.reduce(
    (value, part) => (value instanceof Object ? (value as typeof values)[part] : value),
    values[first in values ? first : 'scope'],
  );
}

function ErrorList(props: {
  errors: Record<string, string[]>;
  form: RefObject<HTMLFormElement | null>;
}) {
  const { errors, form } = props;
  const focus = (name: string) => {
    const field = form.current && fieldOf(name, form.current);
    field?.closest('details')?.setAttribute('open', '');
    field?.focus();
    field?.scrollIntoView({ block: 'center' });
  };
  return (
    <>
      <p className="b">{words.errors.list(Object.keys(errors).length)}</p>
      <ul>
        {Object.entries(errors).map(([name, [message]]) => (
          <li key={name}>
            <a
              href={`#${name}`}
              onClick={(event) => {
                event.preventDefault();
                focus(name);
              }}
            >
              {message}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Messages of a field, and of what is inside of it, such as `tags.0`. */
export function useFieldErrors(name: string): string[] {
  const { errors } = useContext(FormContext);
  return Object.entries(errors)
    .filter(([field]) => field === name || field.startsWith(`${name}.`))
    .flatMap(([, messages]) => messages);
}

export interface FieldProps {
  /** Name of the field in the API, to which errors refer. */
  name: string;
  /** The one that the form has for the name unless given. */
  label?: string;
  hint?: ReactNode;
  isOptional?: boolean;
}

/** Label and hint of a control: its own, else those that the form has for its name. */
export function useTexts({ name, label, hint }: FieldProps) {
  const [labelOfName = name, hintOfName] = useContext(FormContext).texts[name] ?? [];
  return { label: label ?? labelOfName, hint: hint ?? hintOfName };
}

/** Label, hint and error around a control. */
export function FieldFrame(
  props: FieldProps & {
    children: (attributes: {
      id: string;
      name: string;
      'aria-describedby': string | undefined;
      'aria-invalid': true | undefined;
    }) => ReactNode;
  },
) {
  const { name, isOptional = false, children } = props;
  const id = useId();
  const { label, hint } = useTexts(props);
  const [error] = useFieldErrors(name);
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean);
  return (
    <div className="input">
      <label htmlFor={id}>
        {label}
        {isOptional && <span className="faint"> ({words.common.optional})</span>}
      </label>
      {children({
        id,
        name,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

type ControlProps<Element extends 'input' | 'textarea' | 'select', Value = string> = Omit<
  ComponentProps<Element>,
  'name' | 'onChange' | 'value' | 'id'
> &
  FieldProps &
  Controlled<Value>;

/**
 * Field of one line; of a number where its field is one, with a calendar for days and moments. `prefix` is what stands before
 * its value, such as the beginning of an address.
 */
export function Input(props: ControlProps<'input'>) {
  const { name, label, hint, isOptional, value, onChange, prefix, ...rest } = props;
  const { type } = rest;
  const control = useControl(name, { value, onChange });
  return (
    <FieldFrame {...{ name, label, hint, isOptional }}>
      {(attributes) =>
        type === 'password' ? (
          <PasswordInput {...control.typed} {...rest} {...attributes} />
        ) : isCalendar(type) ? (
          <CalendarInput
            type={type}
            {...attributes}
            value={control.value}
            onChange={control.change}
          />
        ) : (
          <span className={prefix === undefined ? 'contents' : 'control prefixed'}>
            {prefix !== undefined && (
              <span className="faint clip" aria-hidden="true">
                {prefix}
              </span>
            )}
            <input
              className="control"
              autoComplete="off"
              {...control.typed}
              {...rest}
              {...attributes}
            />
          </span>
        )
      }
    </FieldFrame>
  );
}

/** Password, which a button shows. */
function PasswordInput(props: ComponentProps<'input'>) {
  const [isShown, setShown] = useState(false);
  const { showPassword } = words.fields;
  return (
    <span className="calendar">
      <input className="control" {...props} type={isShown ? 'text' : 'password'} />
      <button
        type="button"
        aria-label={showPassword}
        aria-pressed={isShown}
        title={showPassword}
        onClick={() => setShown(!isShown)}
      >
        <Icon name="eye" />
      </button>
    </span>
  );
}

/** Field of several lines. */
export function TextArea(props: ControlProps<'textarea'>) {
  const { name, label, hint, isOptional, value, onChange, ...rest } = props;
  const control = useControl(name, { value, onChange });
  return (
    <FieldFrame {...{ name, label, hint, isOptional }}>
      {(attributes) => (
        <textarea className="control" {...control.typed} {...rest} {...attributes} />
      )}
    </FieldFrame>
  );
}

/** List to choose one from, without a frame. */
export function Select<Value extends string>(
  props: Omit<ComponentProps<'select'>, 'onChange'> & {
    options: readonly { value: Value; text: string }[];
    onChange: (value: Value) => void;
    /** Text of the choice of none, whose value is empty; without it there is none. */
    none?: string;
  },
) {
  const { options, onChange, none, ...rest } = props;
  return (
    <select
      className="control"
      {...rest}
      onChange={(event) => onChange(event.target.value as Value)}
    >
      {none !== undefined && <option value="">{none}</option>}
      {options.map(({ value, text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** List to choose one from: `options`, or the choices of the field with their `texts`. */
export function Choose<Value extends string>(
  props: ControlProps<'select', Value> & {
    texts?: Readonly<Partial<Record<Value, string>>>;
    options?: readonly { value: Value; text: string }[];
    none?: string;
  },
) {
  const { name, label, hint, isOptional, value, onChange, texts, options, ...rest } = props;
  const control = useControl(name, { value, onChange });
  const shown =
    options ??
    ((control.choices ?? Object.keys(texts ?? {})) as Value[]).map((choice) => ({
      value: choice,
      text: texts?.[choice] ?? choice,
    }));
  return (
    <FieldFrame {...{ name, label, hint, isOptional }}>
      {(attributes) => (
        <Select
          {...rest}
          {...attributes}
          value={control.value}
          onChange={control.change}
          options={shown}
        />
      )}
    </FieldFrame>
  );
}

/** List to choose one thing from by its id, or none of them. */
export function ChooseId(
  props: FieldProps &
    Controlled<number | null> & {
      /** Text of the choice of none. */
      none: string;
      all: readonly { id: number; name: string }[];
    },
) {
  const { name, value, onChange, all, ...rest } = props;
  const control = useControl(name, { value, onChange });
  return (
    <Choose
      name={name}
      {...rest}
      value={String(control.value ?? '')}
      onChange={(id) => control.change(id === '' ? null : Number(id))}
      options={all.map(({ id, name: text }) => ({ value: String(id), text }))}
    />
  );
}

/** Box, or dot of a group, with its text and a hint below that. */
export function ChoiceInput(
  props: Omit<ComponentProps<'input'>, 'onChange'> & {
    text: ReactNode;
    hint?: ReactNode;
    onChange: (isOn: boolean) => void;
  },
) {
  const { text, hint, onChange, ...rest } = props;
  return (
    <label className="choice">
      <input type="checkbox" {...rest} onChange={(event) => onChange(event.target.checked)} />
      <span>
        {text}
        {hint && <span className="hint">{hint}</span>}
      </span>
    </label>
  );
}

export function Tick(
  props: Omit<FieldProps, 'isOptional'> & {
    checked?: boolean;
    onChange?: (checked: boolean) => void;
    disabled?: boolean;
  },
) {
  const { name, checked, onChange, disabled = false } = props;
  const id = useId();
  const { label, hint } = useTexts(props);
  const control = useControl(name, { value: checked, onChange });
  const [error] = useFieldErrors(name);
  return (
    <div className="input">
      <ChoiceInput
        name={name}
        checked={control.value}
        disabled={disabled}
        aria-describedby={error ? `${id}-error` : undefined}
        text={label}
        hint={hint}
        onChange={control.change}
      />
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

/** Boxes of which any number is ticked, in the order of the choices. */
export function TickGroup<Value extends string>(
  props: { value?: readonly Value[]; onChange?: (value: Value[]) => void } & {
    name: string;
    legend: string;
    choices: readonly { value: Value; text: string; hint?: string }[];
    isInline?: boolean;
  },
) {
  const { name, legend, choices, value, onChange, isInline = false } = props;
  const control = useControl<Value[]>(name, { value: value as Value[], onChange });
  const [error] = useFieldErrors(name);
  const toggle = (choice: Value, isOn: boolean) =>
    control.change(
      choices
        .map((one) => one.value)
        .filter((one) => (one === choice ? isOn : control.value.includes(one))),
    );
  return (
    <fieldset className="ticks">
      <legend>{legend}</legend>
      <div className={isInline ? 'row ticks-row' : 'ticks-list'}>
        {choices.map((choice) => (
          <ChoiceInput
            key={choice.value}
            name={name}
            checked={control.value.includes(choice.value)}
            text={choice.text}
            hint={choice.hint}
            onChange={(isOn) => toggle(choice.value, isOn)}
          />
        ))}
      </div>
      {error && <p className="error">{error}</p>}
    </fieldset>
  );
}

/** List of the time zones that the browser knows; a stored one that it does not know stays. */
export function ZoneField(
  props: FieldProps &
    Controlled<string> & {
      /** Text of the choice of none; without it a zone has to be chosen. */
      none?: string;
    },
) {
  const { name, value, onChange, ...rest } = props;
  const control = useControl(name, { value, onChange });
  const options = useMemo(() => {
    const known = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);
    if (control.value !== '') known.add(control.value);
    return [...known].map((zone) => ({ value: zone, text: zone.replaceAll('_', ' ') }));
  }, [control.value]);
  return (
    <Choose
      name={name}
      {...rest}
      value={control.value}
      onChange={control.change}
      options={options}
    />
  );
}
