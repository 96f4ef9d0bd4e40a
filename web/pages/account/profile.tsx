import { useState, type ReactNode } from 'react';
import { askAuth, useChange } from '../../app/api.ts';
import { atFields } from '../../app/at-fields.ts';
import { useSession } from '../../app/session.tsx';
import { updateAccount } from '../../client/sdk.gen.ts';
import { Card } from '../../parts/card.tsx';
import { Form, Input } from '../../parts/form.tsx';
import { say } from '../../parts/toast.tsx';
import { ZoneField } from '../../parts/zone-field.tsx';
import { words } from '../../words/index.ts';
import { withProof } from './proof.ts';

/** Name, time zone and e-mail address. */
export function Profile(): ReactNode {
  const { user } = useSession();
  const { profile } = words.account;
  const [name, setName] = useState(user.name);
  const [timezone, setTimezone] = useState(user.timezone);
  const change = useChange(
    () => updateAccount({ body: { name: name.trim(), timezone } }),
    ['account'],
  );
  const save = async () => {
    await change.mutateAsync(undefined);
    say(profile.saved);
  };
  return (
    <Card title={profile.title}>
      <Form submit={words.common.save} isPrimary={false} onSubmit={save}>
        <div className="gap account-fields">
          <Input
            name="name"
            label={profile.name}
            autoComplete="name"
            maxLength={100}
            value={name}
            onChange={setName}
          />
          <ZoneField
            name="timezone"
            label={profile.zone}
            hint={profile.zoneHint}
            value={timezone}
            onChange={setTimezone}
          />
        </div>
      </Form>
      <EmailForm email={user.email} />
    </Card>
  );
}

/** Change of the address, which both addresses confirm by mail. */
function EmailForm({ email }: { email: string }): ReactNode {
  const { profile } = words.account;
  const [newEmail, setNewEmail] = useState('');
  const [isSent, setSent] = useState(false);
  const send = async () => {
    setSent(false);
    await atFields({ INVALID_EMAIL: 'newEmail' }, () =>
      withProof(() => askAuth('POST', '/change-email', { newEmail: newEmail.trim() })),
    );
    setSent(true);
  };
  return (
    <details className="account-more">
      <summary>
        {profile.email(email)} <span className="link">{profile.changeEmail}</span>
      </summary>
      <Form submit={profile.sendLinks} isPrimary={false} onSubmit={send}>
        <div className="gap account-fields">
          <Input
            name="newEmail"
            label={profile.newEmail}
            hint={profile.newEmailHint}
            type="email"
            autoComplete="email"
            value={newEmail}
            onChange={setNewEmail}
          />
          {isSent && (
            <p className="notice" role="status">
              {profile.linksSent(email)}
            </p>
          )}
        </div>
      </Form>
    </details>
  );
}
