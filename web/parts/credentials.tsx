import { ApiError } from '../app/client.ts';
import { words } from '../words/index.ts';
import { Input, useControl, type FieldProps } from './form.tsx';

/** A new password as it was typed twice, against typing errors. */
export interface TypedPassword {
  first: string;
  repeated: string;
}

/** Shortest password that the server accepts. */
const MIN_LENGTH = 8;

export const NO_PASSWORD: TypedPassword = { first: '', repeated: '' };

/** Two fields for a new password, which is a TypedPassword of the form's draft. */
export function NewPassword({ name, label }: Required<Pick<FieldProps, 'name' | 'label'>>) {
  const { value, change } = useControl<TypedPassword>(name);
  const { hint, again } = words.credentials;
  return (
    <>
      <Input
        name={name}
        label={label}
        hint={hint}
        type="password"
        autoComplete="new-password"
        maxLength={128}
        value={value.first}
        onChange={(first) => change({ ...value, first })}
      />
      <Input
        name="repeated_password"
        label={again(label)}
        type="password"
        autoComplete="new-password"
        maxLength={128}
        value={value.repeated}
        onChange={(repeated) => change({ ...value, repeated })}
      />
    </>
  );
}

/**
 * The password, if it is long enough and was typed twice. Throws an ApiError, for a form to show.
 *
 * @param name of the first field
 */
export function passwordOf(name: string, { first, repeated }: TypedPassword): string {
  const { differ, short } = words.credentials;
  if (first.length < MIN_LENGTH) throw refusal(name, short);
  if (first !== repeated) throw refusal('repeated_password', differ);
  return first;
}

function refusal(field: string, message: string): ApiError {
  return new ApiError(422, { message, errors: { [field]: [message] } });
}

/** Names the account to password managers, in a form without a field for its address. */
export function HiddenUsername({ email }: { email: string }) {
  return (
    <input
      type="email"
      name="username"
      autoComplete="username"
      className="vh"
      tabIndex={-1}
      aria-hidden="true"
      readOnly
      value={email}
    />
  );
}

/** Code that an authenticator shows, as `code` of the form's draft; authenticators write it with a space. */
export function OneTimeCode(field: Omit<FieldProps, 'name'> & { autoFocus?: boolean }) {
  return (
    <Input name="code" autoComplete="one-time-code" inputMode="numeric" maxLength={10} {...field} />
  );
}

/** The code without spaces. */
export function digitsOf(code: string): string {
  return code.replaceAll(/\D/g, '');
}
