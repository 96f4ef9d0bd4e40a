import type { ReactNode } from 'react';
import { useSession } from '../../app/session.tsx';
import { Input } from '../../parts/form.tsx';
import { HiddenUsername } from '../../parts/new-password.tsx';
import { words } from '../../words/index.ts';

/** Password of the person, which people who sign in another way don't have. */
export function CurrentPassword({
  value,
  onChange,
}: {
  value: string;
  onChange: (password: string) => void;
}): ReactNode {
  const { user } = useSession();
  const { factor } = words.account;
  return (
    <>
      <HiddenUsername email={user.email} />
      <Input
        name="password"
        label={factor.password}
        hint={factor.passwordHint}
        isOptional
        type="password"
        autoComplete="current-password"
        value={value}
        onChange={onChange}
      />
    </>
  );
}

/** Code that an authenticator shows; authenticators write it with a space. */
export function OneTimeCode({
  label,
  hint,
  isOptional = false,
  autoFocus = false,
  value,
  onChange,
}: {
  label: string;
  hint?: string;
  isOptional?: boolean;
  autoFocus?: boolean;
  value: string;
  onChange: (code: string) => void;
}): ReactNode {
  return (
    <Input
      name="code"
      label={label}
      hint={hint}
      isOptional={isOptional}
      autoFocus={autoFocus}
      autoComplete="one-time-code"
      inputMode="numeric"
      maxLength={10}
      value={value}
      onChange={onChange}
    />
  );
}

/** The code without spaces. */
export function digitsOf(code: string): string {
  return code.replaceAll(/\D/g, '');
}
