import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { askAuth, useChange, useRead } from '../../app/api.ts';
import { atFields } from '../../app/at-fields.ts';
import { useSession } from '../../app/session.tsx';
import {
  disconnectApplication,
  listConnectedApplications,
  listTokens,
  revokeToken,
} from '../../client/sdk.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Form, Input } from '../../parts/form.tsx';
import { HiddenUsername, NewPassword, NO_PASSWORD, passwordOf } from '../../parts/new-password.tsx';
import { say, sayError } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';

/** Change of the password, which ends the other sessions. */
export function Password(): ReactNode {
  const { user } = useSession();
  const cache = useQueryClient();
  const { password } = words.account;
  const [current, setCurrent] = useState('');
  const [typed, setTyped] = useState(NO_PASSWORD);
  const [isChanged, setChanged] = useState(false);
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
    setChanged(true);
    say(password.changed);
  };
  return (
    <Card title={password.title}>
      <p className="account-intro">{password.intro}</p>
      {isChanged && <Remaining />}
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

/** What a thief of the former password may have left behind, after a change: it ends only by hand. */
function Remaining(): ReactNode {
  const { password } = words.account;
  const tokens = useRead(['account', 'tokens'], () => listTokens()).data?.data ?? [];
  const applications =
    useRead(['account', 'applications'], () => listConnectedApplications()).data?.data ?? [];
  const revoke = useChange((id: number) => revokeToken({ path: { id } }), ['account']);
  const disconnect = useChange(
    (id: number) => disconnectApplication({ path: { id } }),
    ['account'],
  );
  if (tokens.length + applications.length === 0) return null;
  const endAll = async () => {
    try {
      for (const { id } of tokens) await revoke.mutateAsync(id);
      for (const { id } of applications) await disconnect.mutateAsync(id);
      say(password.ended);
    } catch (error) {
      sayError(error);
    }
  };
  return (
    <div className="banner account-banner" role="status">
      <p>{password.remaining}</p>
      <ul>
        {[...tokens, ...applications].map(({ name }, index) => (
          <li key={index}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
      <Button isBusy={revoke.isPending || disconnect.isPending} onClick={() => void endAll()}>
        {password.endAll}
      </Button>
    </div>
  );
}
