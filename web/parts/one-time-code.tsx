import { Input } from './form.tsx';

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
}) {
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
