import { useState } from 'react';
import { reread } from '../../app/api.ts';
import { atFields, call, callAuth } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { UPDATE_ACCOUNT } from '../../app/fields.gen.ts';
import { Form, Input, useDraft, ZoneField } from '../../parts/form.tsx';
import { Card } from '../../parts/page.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { withProof } from './proof.ts';

/** Name, time zone and e-mail address. */
export function Profile() {
  const { user } = useSession();
  const { profile } = words.account;
  const [draft, set] = useDraft({ name: user.name, timezone: user.timezone });
  const save = async () => {
    await call('updateAccount', { body: { ...draft, name: draft.name.trim() } });
    await reread('account');
    showToast(profile.saved);
  };
  return (
    <Card title={profile.title}>
      <Form
        fields={UPDATE_ACCOUNT}
        draft={draft}
        set={set}
        submit={words.common.save}
        isPrimary={false}
        onSubmit={save}
      >
        <div className="gap account-fields">
          <Input name="name" label={profile.name} autoComplete="name" />
          <ZoneField name="timezone" label={profile.zone} hint={profile.zoneHint} />
        </div>
      </Form>
      <EmailForm email={user.email} />
    </Card>
  );
}

/** Change of the address, which both addresses confirm by mail. */
function EmailForm({ email }: { email: string }) {
  const { profile } = words.account;
  const [draft, set] = useDraft({ newEmail: '' });
  const [isSent, setSent] = useState(false);
  const send = async () => {
    setSent(false);
    await atFields({ INVALID_EMAIL: 'newEmail' }, () =>
      withProof(() => callAuth('POST', '/change-email', { newEmail: draft.newEmail.trim() })),
    );
    setSent(true);
  };
  return (
    <details className="account-more">
      <summary>
        {profile.email(email)} <span className="link">{profile.changeEmail}</span>
      </summary>
      <Form draft={draft} set={set} submit={profile.sendLinks} isPrimary={false} onSubmit={send}>
        <div className="gap account-fields">
          <Input
            name="newEmail"
            label={profile.newEmail}
            hint={profile.newEmailHint}
            type="email"
            autoComplete="email"
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
