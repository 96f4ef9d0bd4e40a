import { useState } from 'react';
import { reread, useRead, useReadBy } from '../../app/api.ts';
import { call, callAuth } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { atFields } from '../../app/sign-in-calls.ts';
import { Button } from '../../parts/button.tsx';
import { Form, Input, useForm, ZoneField } from '../../parts/form.tsx';
import { HiddenUsername, NewPassword, NO_PASSWORD, passwordOf } from '../../parts/credentials.tsx';
import { Card } from '../../parts/page.tsx';
import { showToast, useAct } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { addPasskey, canUsePasskeys } from '../../app/passkeys.ts';
import { confirm, openDialog } from '../../parts/dialog.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { withProof } from './proof.ts';
import { AccountRow, AccountRows } from './rows.tsx';
import { UPDATE_ACCOUNT } from '../../app/fields.gen.ts';

const { passkeys, password, profile } = words.account;

/** Change of the password, which ends the other sessions. */
export function Password() {
  const { user } = useSession();
  const { draft, set, form } = useForm(null, { currentPassword: '', newPassword: NO_PASSWORD });
  const [isChanged, setChanged] = useState(false);
  const send = async () => {
    const { currentPassword } = draft;
    const newPassword = passwordOf('newPassword', draft.newPassword);
    await atFields(
      {
        INVALID_PASSWORD: 'currentPassword',
        PASSWORD_TOO_SHORT: 'newPassword',
        PASSWORD_TOO_LONG: 'newPassword',
      },
      () => callAuth('POST', '/change-password', { currentPassword, newPassword }),
    );
    set({ currentPassword: '', newPassword: NO_PASSWORD });
    await reread(['account', 'listSessions']);
    setChanged(true);
    showToast(password.changed);
  };
  return (
    <Card title={password.title}>
      <p className="inset sm dim">{password.intro}</p>
      {isChanged && <Remaining />}
      <details className="folded wrap">
        <summary>
          <span className="link">{password.change}</span>
        </summary>
        <Form {...form} submit={password.change} isPrimary={false} onSubmit={send}>
          <div className="gap inset">
            <HiddenUsername email={user.email} />
            <Input
              name="currentPassword"
              label={password.current}
              type="password"
              autoComplete="current-password"
            />
            <NewPassword name="newPassword" label={words.labels.newPassword} />
          </div>
        </Form>
      </details>
    </Card>
  );
}

/** What a thief of the former password may have left behind, after a change: it ends only by hand. */
function Remaining() {
  const tokens = useRead('listTokens').data?.data ?? [];
  const applications = useRead('listConnectedApplications').data?.data ?? [];
  const end = useAct(async () => {
    try {
      for (const { id } of tokens) await call('revokeToken', { path: { id } });
      for (const { id } of applications) await call('disconnectApplication', { path: { id } });
    } finally {
      await reread('account');
    }
    return password.ended;
  });
  if (tokens.length + applications.length === 0) return null;
  return (
    <div className="banner quiet" role="status">
      <p>{password.remaining}</p>
      <ul>
        {[...tokens, ...applications].map(({ name }, index) => (
          <li key={index}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
      <Button isDisabled={end.isBusy} onClick={() => void end.run()}>
        {password.endAll}
      </Button>
    </div>
  );
}

interface Passkey {
  id: string;
  name?: string | null;
  createdAt?: string | null;
}

const readPasskeys = () => reread(['account', 'passkeys']);

/** Passkeys of the person: add, rename, remove. */
export function Passkeys() {
  const list = useReadBy(['account', 'passkeys'], () =>
    callAuth<Passkey[]>('GET', '/passkey/list-user-passkeys'),
  );
  const remove = (passkey: Passkey) =>
    confirm({
      title: passkeys.removeTitle(nameOf(passkey)),
      text: passkeys.removeText,
      action: words.labels.remove,
      onConfirm: async () => {
        await withProof(() => callAuth('POST', '/passkey/delete-passkey', { id: passkey.id }));
        await readPasskeys();
        showToast(passkeys.removed);
      },
    });
  return (
    <Card title={passkeys.title}>
      <p className="inset sm dim">{passkeys.intro}</p>
      <AccountRows list={list} empty={passkeys.none}>
        {list.data?.map((passkey) => (
          <AccountRow
            key={passkey.id}
            title={nameOf(passkey)}
            facts={[
              passkey.createdAt ? (
                <>
                  {passkeys.added} <RelativeTime time={passkey.createdAt} />
                </>
              ) : null,
            ]}
          >
            <Button
              aria-label={`${passkeys.rename}: ${nameOf(passkey)}`}
              onClick={() => rename(passkey)}
            >
              {passkeys.rename}
            </Button>
            <Button
              aria-label={`${words.labels.remove}: ${nameOf(passkey)}`}
              onClick={() => remove(passkey)}
            >
              {words.labels.remove}
            </Button>
          </AccountRow>
        ))}
      </AccountRows>
      {canUsePasskeys ? (
        <AddPasskey onAdded={readPasskeys} />
      ) : (
        <p className="inset sm dim faint">{passkeys.unsupported}</p>
      )}
    </Card>
  );
}

function nameOf({ name }: Passkey): string {
  return name || words.account.passkeys.unnamed;
}

function AddPasskey({ onAdded }: { onAdded: () => Promise<void> }) {
  const { draft, set, form } = useForm(null, { name: '' });
  const send = async () => {
    await withProof(() => addPasskey(draft.name.trim()));
    set({ name: '' });
    await onAdded();
    showToast(passkeys.addedOne);
  };
  return (
    <details className="folded wrap">
      <summary>
        <span className="link">{passkeys.add}</span>
      </summary>
      <Form {...form} submit={passkeys.add} isPrimary={false} onSubmit={send}>
        <div className="gap inset">
          <Input name="name" label={words.labels.name} hint={passkeys.nameHint} maxLength={60} />
        </div>
      </Form>
    </details>
  );
}

const rename = (passkey: Passkey) =>
  openDialog((onClose) => <RenamePasskey passkey={passkey} onClose={onClose} />);

function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { draft, form } = useForm(null, { name: passkey.name ?? '' });
  const send = async () => {
    await callAuth('POST', '/passkey/update-passkey', {
      id: passkey.id,
      name: draft.name.trim(),
    });
    await readPasskeys();
  };
  return (
    <FormDialog
      title={passkeys.renameTitle(nameOf(passkey))}
      {...form}
      submit={passkeys.rename}
      onSubmit={send}
      onClose={onClose}
    >
      <div className="gap dialog-fields">
        <Input name="name" label={words.labels.name} maxLength={60} />
      </div>
    </FormDialog>
  );
}

/** Name, time zone and e-mail address. */
export function Profile() {
  const { user } = useSession();
  const { draft, form } = useForm(UPDATE_ACCOUNT, { name: user.name, timezone: user.timezone });
  const save = async () => {
    await call('updateAccount', { body: { ...draft, name: draft.name.trim() } });
    await reread('account');
    showToast(profile.saved);
  };
  return (
    <Card title={profile.title}>
      <Form {...form} submit={words.common.save} isPrimary={false} onSubmit={save}>
        <div className="gap inset">
          <Input name="name" label={words.labels.name} autoComplete="name" />
          <ZoneField name="timezone" label={words.labels.timezone} hint={profile.zoneHint} />
        </div>
      </Form>
      <EmailForm email={user.email} />
    </Card>
  );
}

/** Change of the address, which both addresses confirm by mail. */
function EmailForm({ email }: { email: string }) {
  const { draft, form } = useForm(null, { newEmail: '' });
  const [isSent, setSent] = useState(false);
  const send = async () => {
    setSent(false);
    await atFields({ INVALID_EMAIL: 'newEmail' }, () =>
      withProof(() => callAuth('POST', '/change-email', { newEmail: draft.newEmail.trim() })),
    );
    setSent(true);
  };
  return (
    <details className="folded wrap">
      <summary>
        {profile.email(email)} <span className="link">{profile.changeEmail}</span>
      </summary>
      <Form {...form} submit={profile.sendLinks} isPrimary={false} onSubmit={send}>
        <div className="gap inset">
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
