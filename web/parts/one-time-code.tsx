import { Input, type FieldProps } from './form.tsx';

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
