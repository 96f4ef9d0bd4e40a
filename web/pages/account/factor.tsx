import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { ask, askAuth, type ApiError } from '../../app/api.ts';
import { atFields } from '../../app/at-fields.ts';
import { useSession, type Session } from '../../app/session.tsx';
import { listUsers } from '../../client/sdk.gen.ts';
import { Card } from '../../parts/card.tsx';
import { Failure, Waiting } from '../../parts/failure.tsx';
import { Form } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { CurrentPassword } from './credential-fields.tsx';
import { FactorSetup, type FactorSecret } from './factor-setup.tsx';
import { withProof } from './proof.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Two-factor authentication: turning it on takes a code, turning it off the password. */
export function Factor(): ReactNode {
  const session = useSession();
  const cache = useQueryClient();
  const { factor } = words.account;
  const [secret, setSecret] = useState<FactorSecret | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const state = useQuery<boolean, ApiError>({
    queryKey: ['account', 'factor'],
    queryFn: () => isFactorOn(session),
  });
  const standing = useRef<HTMLParagraphElement>(null);
  const closeCodes = () => {
    setCodes([]);
    standing.current?.focus();
  };
  const changed = async () => {
    await Promise.all([
      cache.invalidateQueries({ queryKey: ['account'] }),
      cache.invalidateQueries({ queryKey: ['members'] }),
    ]);
  };
  const confirmed = async () => {
    setCodes(secret?.codes ?? []);
    setSecret(null);
    await changed();
  };
  const turnedOff = async () => {
    setCodes([]);
    await changed();
    say(factor.turnedOff);
  };
  return (
    <Card title={factor.title}>
      {state.error !== null && <Failure error={state.error} />}
      {state.isPending && <Waiting lines={1} />}
      {state.data !== undefined && (
        <>
          <p className="account-state" role="status" tabIndex={-1} ref={standing}>
            <Icon name={state.data ? 'lock' : 'minus'} />
            <span>{state.data ? factor.on : factor.off}</span>
          </p>
          {codes.length > 0 && <RecoveryCodes codes={codes} onClose={closeCodes} />}
          {secret !== null && <FactorSetup secret={secret} onConfirmed={confirmed} />}
          {secret === null && !state.data && <TurnOn onSecret={setSecret} />}
          {state.data && codes.length === 0 && (
            <>
              <NewCodes onCodes={setCodes} />
              <TurnOff onDone={turnedOff} />
            </>
          )}
        </>
      )}
    </Card>
  );
}

/** Reads the state from the list of members; without a team, from the sign-in routes, whose rate limit is low. */
async function isFactorOn({ user, team }: Session): Promise<boolean> {
  if (team !== null) {
    const { data } = await ask(listUsers());
    return data.some(({ id, mfa_enabled }) => id === user.id && mfa_enabled);
  }
  const answer = await askAuth<{ user?: { twoFactorEnabled?: boolean } } | null>(
    'GET',
    '/get-session',
  );
  return answer?.user?.twoFactorEnabled === true;
}

interface Enabled {
  totpURI: string;
  backupCodes: string[];
}

function TurnOn({ onSecret }: { onSecret: (secret: FactorSecret) => void }): ReactNode {
  const { factor } = words.account;
  const send = async (body: object) => {
    const enabled = await withProof(() => askAuth<Enabled>('POST', '/two-factor/enable', body));
    onSecret({ uri: enabled.totpURI, codes: enabled.backupCodes });
  };
  return <WithPassword submit={factor.turnOn} onSubmit={send} />;
}

function NewCodes({ onCodes }: { onCodes: (codes: readonly string[]) => void }): ReactNode {
  const { factor } = words.account;
  const send = async (body: object) => {
    const { backupCodes } = await withProof(() =>
      askAuth<{ backupCodes: string[] }>('POST', '/two-factor/generate-backup-codes', body),
    );
    onCodes(backupCodes);
  };
  return (
    <details className="account-more">
      <summary>
        <span className="link">{factor.newCodes}</span>
      </summary>
      <p className="account-intro">{factor.newCodesHint}</p>
      <WithPassword submit={factor.newCodes} onSubmit={send} />
    </details>
  );
}

function TurnOff({ onDone }: { onDone: () => Promise<void> }): ReactNode {
  const { factor } = words.account;
  const send = async (body: object) => {
    await withProof(() => askAuth('POST', '/two-factor/disable', body));
    await onDone();
  };
  return (
    <details className="account-more">
      <summary>
        <span className="link">{factor.turnOff}</span>
      </summary>
      <p className="account-intro">{factor.turnOffHint}</p>
      <WithPassword submit={factor.turnOff} onSubmit={send} />
    </details>
  );
}

/** Form with the password alone, which people have not who sign in another way. */
function WithPassword({
  submit,
  onSubmit,
}: {
  submit: string;
  onSubmit: (body: object) => Promise<void>;
}): ReactNode {
  const [password, setPassword] = useState('');
  const send = () =>
    atFields({ INVALID_PASSWORD: 'password' }, () => onSubmit(password === '' ? {} : { password }));
  return (
    <Form submit={submit} isPrimary={false} onSubmit={send}>
      <div className="gap account-fields">
        <CurrentPassword value={password} onChange={setPassword} />
      </div>
    </Form>
  );
}
