import { useState } from 'react';
import { reread, useRead } from '../../app/api.ts';
import { atFields, call, callAuth } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { Form, Input } from '../../parts/form.tsx';
import { HiddenUsername, NewPassword, NO_PASSWORD, passwordOf } from '../../parts/credentials.tsx';
import { Card } from '../../parts/page.tsx';
import { attempt, showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';

/** Change of the password, which ends the other sessions. */
export function Password() {
  const { user } = useSession();
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
      () => callAuth('POST', '/change-password', { currentPassword: current, newPassword }),
    );
    setCurrent('');
    setTyped(NO_PASSWORD);
    await reread(['account', 'sessions']);
    setChanged(true);
    showToast(password.changed);
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
function Remaining() {
  const { password } = words.account;
  const tokens = useRead(['account', 'tokens'], () => call('listTokens')).data?.data ?? [];
  const applications =
    useRead(['account', 'applications'], () => call('listConnectedApplications')).data?.data ?? [];
  const [isBusy, setBusy] = useState(false);
  if (tokens.length + applications.length === 0) return null;
  const endAll = async () => {
    setBusy(true);
    await attempt(async () => {
      for (const { id } of tokens) await call('revokeToken', { path: { id } });
      for (const { id } of applications) await call('disconnectApplication', { path: { id } });
      return password.ended;
    });
    await reread('account');
    setBusy(false);
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
      <Button isDisabled={isBusy} onClick={() => void endAll()}>
        {password.endAll}
      </Button>
    </div>
  );
}
