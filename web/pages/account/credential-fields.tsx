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
        type="password"
        autoComplete="current-password"
        value={value}
        onChange={onChange}
      />
    </>
  );
}
