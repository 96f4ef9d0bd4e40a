import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { askAuth } from '../../app/api.ts';
import { atFields } from '../../app/at-fields.ts';
import { useSession } from '../../app/session.tsx';
import { Card } from '../../parts/card.tsx';
import { Form, Input } from '../../parts/form.tsx';
import { HiddenUsername, NewPassword, NO_PASSWORD, passwordOf } from '../../parts/new-password.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';

/** Change of the password, which ends the other sessions. */
export function Password(): ReactNode {
  const { user } = useSession();
  const cache = useQueryClient();
  const { password } = words.account;
  const [current, setCurrent] = useState('');
  const [typed, setTyped] = useState(NO_PASSWORD);
  const send = async () => {
    const newPassword = passwordOf('newPassword', typed);
    await atFields(
      {
        INVALID_PASSWORD: 'currentPassword',
        PASSWORD_TOO_SHORT: 'newPassword',
        PASSWORD_TOO_LONG: 'newPassword',
      },
      () => askAuth('POST', '/change-password', { currentPassword: current, newPassword }),
    );
    setCurrent('');
    setTyped(NO_PASSWORD);
    await cache.invalidateQueries({ queryKey: ['account', 'sessions'] });
    say(password.changed);
  };
  return (
    <Card title={password.title}>
      <p className="account-intro">{password.intro}</p>
      <Form submit={password.change} isPrimary={false} onSubmit={send}>
        <div className="gap account-fields">
          <HiddenUsername email={user.email} />
          <Input
            name="currentPassword"
            label={password.current}
            type="password"
            autoComplete="current-password"
            value={current}
            onChange={setCurrent}
          />
          <NewPassword name="newPassword" label={password.next} value={typed} onChange={setTyped} />
        </div>
      </Form>
    </Card>
  );
}
