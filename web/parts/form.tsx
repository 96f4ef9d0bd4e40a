import {
  createContext,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
  type RefObject,
} from 'react';
import { ApiError } from '../app/ask.ts';
import { words } from '../words/index.ts';
import { Button } from './button.tsx';
import { fieldOf, withLabels } from './field-labels.ts';

/** Errors of the last attempt to save, by the names of the API's fields. */
const FieldErrors = createContext<Record<string, string[]>>({});

/**
 * Form that sends when submitted, keeps what was typed, and shows the API's errors at their fields, with a list of links to
 * them above. Fields are `Input`, `TextArea`, `Choose` and `Tick` with the API's names.
 */
export function Form({
  submit,
  onSubmit,
  onCancel,
  children,
  actions,
  isPrimary = true,
  isHeld = false,
  live,
}: {
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
}): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Pick<ApiError, 'message' | 'errors'> | null>(null);
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
    } catch (problem) {
      setError(
        problem instanceof ApiError
          ? { message: problem.message, errors: withLabels(problem.errors, form.current) }
          : { message: String(problem), errors: {} },
      );
    } finally {
      setBusy(false);
    }
  };
  const errors = error?.errors ?? {};
  return (
    <FieldErrors value={live ?? errors}>
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
              {Object.keys(errors).length === 0 ? (
                <p>{error.message}</p>
              ) : (
                <ErrorList errors={errors} form={form} />
              )}
            </div>
          </div>
        )}
        {children}
        <div className="form-end">
          <Button type="submit" look={isPrimary ? 'primary' : 'plain'} isBusy={isBusy || isHeld}>
            {submit}
          </Button>
          {onCancel && <Button onClick={onCancel}>{words.common.cancel}</Button>}
          {actions}
        </div>
      </form>
    </FieldErrors>
  );
}

function ErrorList({
  errors,
  form,
}: {
  errors: Record<string, string[]>;
  form: RefObject<HTMLFormElement | null>;
}): ReactNode {
  const focus = (name: string) => {
    const field = form.current && fieldOf(name, form.current);
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
  const errors = useContext(FieldErrors);
  return Object.entries(errors)
    .filter(([field]) => field === name || field.startsWith(`${name}.`))
    .flatMap(([, messages]) => messages);
}

export interface FieldProps {
  /** Name of the field in the API, to which errors refer. */
  name: string;
  label: string;
  hint?: ReactNode;
  isOptional?: boolean;
}

/** Label, hint and error around a control. */
export function FieldFrame({
  name,
  label,
  hint,
  isOptional = false,
  children,
}: FieldProps & {
  children: (attributes: {
    id: string;
    name: string;
    'aria-describedby': string | undefined;
    'aria-invalid': true | undefined;
  }) => ReactNode;
}): ReactNode {
  const id = useId();
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

type Controlled<Element extends 'input' | 'textarea' | 'select'> = Omit<
  ComponentProps<Element>,
  'name' | 'onChange' | 'value' | 'id'
> &
  FieldProps & { value: string; onChange: (value: string) => void };

/** Field of one line. */
export function Input({
  name,
  label,
  hint,
  isOptional,
  value,
  onChange,
  ...rest
}: Controlled<'input'>): ReactNode {
  return (
    <FieldFrame {...{ name, label, hint, isOptional: isOptional ?? false }}>
      {(attributes) => (
        <input
          className="control"
          autoComplete="off"
          {...rest}
          {...attributes}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FieldFrame>
  );
}

/** Field of several lines. */
export function TextArea({
  name,
  label,
  hint,
  isOptional,
  value,
  onChange,
  ...rest
}: Controlled<'textarea'>): ReactNode {
  return (
    <FieldFrame {...{ name, label, hint, isOptional: isOptional ?? false }}>
      {(attributes) => (
        <textarea
          className="control"
          {...rest}
          {...attributes}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FieldFrame>
  );
}

/** List to choose one from. */
export function Choose({
  name,
  label,
  hint,
  isOptional,
  value,
  onChange,
  options,
  ...rest
}: Controlled<'select'> & { options: readonly { value: string; text: string }[] }): ReactNode {
  return (
    <FieldFrame {...{ name, label, hint, isOptional: isOptional ?? false }}>
      {(attributes) => (
        <select
          className="control"
          {...rest}
          {...attributes}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}

/** Box to tick. */
export function Tick({
  name,
  label,
  hint,
  checked,
  onChange,
  disabled = false,
}: Omit<FieldProps, 'isOptional'> & {
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}): ReactNode {
  const id = useId();
  const [error] = useFieldErrors(name);
  return (
    <div className="input">
      <label className="choice">
        <input
          type="checkbox"
          name={name}
          checked={checked}
          disabled={disabled}
          aria-describedby={error ? `${id}-error` : undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>
          {label}
          {hint && <span className="hint">{hint}</span>}
        </span>
      </label>
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
