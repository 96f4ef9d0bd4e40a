import type { ReactNode } from 'react';
import { Input } from '../../parts/form.tsx';
import { words } from '../../words/index.ts';

interface Field {
  value: string;
  onChange: (value: string) => void;
}

/** Address by which a person signs in. Password managers keep it with the password. */
export function EmailField(field: Field): ReactNode {
  const label = words.entry.signIn.email;
  return <Input name="email" label={label} type="email" autoComplete="username" {...field} />;
}

/** Name of a person. */
export function NameField(field: Field & { isOptional?: boolean }): ReactNode {
  const label = words.entry.personName;
  return <Input name="name" label={label} autoComplete="name" maxLength={100} {...field} />;
}
