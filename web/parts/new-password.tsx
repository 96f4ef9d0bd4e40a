import type { ReactNode } from 'react';
import { ApiError } from '../app/ask.ts';
import { words } from '../words/index.ts';
import { Input } from './form.tsx';

/** A new password as it was typed twice, against typing errors. */
export interface TypedPassword {
  first: string;
  repeated: string;
}

export const NO_PASSWORD: TypedPassword = { first: '', repeated: '' };

/** Two fields for a new password. */
export function NewPassword({
  name,
  label,
  value,
  onChange,
}: {
  /** Name of the field in the API. */
  name: string;
  label: string;
  value: TypedPassword;
  onChange: (value: TypedPassword) => void;
}): ReactNode {
  const { hint, again } = words.account.newPassword;
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
        onChange={(first) => onChange({ ...value, first })}
      />
      <Input
        name="repeated_password"
        label={again(label)}
        type="password"
        autoComplete="new-password"
        maxLength={128}
        value={value.repeated}
        onChange={(repeated) => onChange({ ...value, repeated })}
      />
    </>
  );
}

/** The password, if it was typed twice. Throws an ApiError, for a form to show. */
export function passwordOf({ first, repeated }: TypedPassword): string {
  if (first === repeated) return first;
  const { differ } = words.account.newPassword;
  throw new ApiError(422, { message: differ, errors: { repeated_password: [differ] } });
}

/** Names the account to password managers, in a form without a field for its address. */
export function HiddenUsername({ email }: { email: string }): ReactNode {
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
