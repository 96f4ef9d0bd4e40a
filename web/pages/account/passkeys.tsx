import { useState } from 'react';
import { reread, useRead } from '../../app/api.ts';
import { callAuth } from '../../app/client.ts';
import { addPasskey, canUsePasskeys } from '../../app/passkeys.ts';
import { Button } from '../../parts/button.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Form, Input, useDraft } from '../../parts/form.tsx';
import { Card } from '../../parts/page.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { withProof } from './proof.ts';
import { AccountRow, AccountRows } from './rows.tsx';

interface Passkey {
  id: string;
  name?: string | null;
  createdAt?: string | null;
}

const readPasskeys = () => reread(['account', 'passkeys']);

/** Passkeys of the person: add, rename, remove. */
export function Passkeys() {
  const { passkeys } = words.account;
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const list = useRead(['account', 'passkeys'], () =>
    callAuth<Passkey[]>('GET', '/passkey/list-user-passkeys'),
  );
  const remove = (passkey: Passkey) =>
    confirm({
      title: passkeys.removeTitle(nameOf(passkey)),
      text: passkeys.removeText,
      action: passkeys.remove,
      onConfirm: async () => {
        await withProof(() => callAuth('POST', '/passkey/delete-passkey', { id: passkey.id }));
        await readPasskeys();
        showToast(passkeys.removed);
      },
    });
  return (
    <Card title={passkeys.title}>
      <p className="account-intro">{passkeys.intro}</p>
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
              onClick={() => setRenamed(passkey)}
            >
              {passkeys.rename}
            </Button>
            <Button
              aria-label={`${passkeys.remove}: ${nameOf(passkey)}`}
              onClick={() => remove(passkey)}
            >
              {passkeys.remove}
            </Button>
          </AccountRow>
        ))}
      </AccountRows>
      {canUsePasskeys ? (
        <AddPasskey onAdded={readPasskeys} />
      ) : (
        <p className="account-intro faint">{passkeys.unsupported}</p>
      )}
      {renamed !== null && (
        <RenamePasskey
          passkey={renamed}
          onClose={() => setRenamed(null)}
          onRenamed={readPasskeys}
        />
      )}
    </Card>
  );
}

function nameOf({ name }: Passkey): string {
  return name || words.account.passkeys.unnamed;
}

function AddPasskey({ onAdded }: { onAdded: () => Promise<void> }) {
  const { passkeys } = words.account;
  const [draft, set] = useDraft({ name: '' });
  const send = async () => {
    await withProof(() => addPasskey(draft.name.trim()));
    set({ name: '' });
    await onAdded();
    showToast(passkeys.addedOne);
  };
  return (
    <Form draft={draft} set={set} submit={passkeys.add} isPrimary={false} onSubmit={send}>
      <div className="gap account-fields">
        <Input name="name" label={passkeys.name} hint={passkeys.nameHint} maxLength={60} />
      </div>
    </Form>
  );
}

function RenamePasskey({
  passkey,
  onClose,
  onRenamed,
}: {
  passkey: Passkey;
  onClose: () => void;
  onRenamed: () => Promise<void>;
}) {
  const { passkeys } = words.account;
  const [draft, set] = useDraft({ name: passkey.name ?? '' });
  const send = async () => {
    await callAuth('POST', '/passkey/update-passkey', {
      id: passkey.id,
      name: draft.name.trim(),
    });
    await onRenamed();
  };
  return (
    <FormDialog
      title={passkeys.renameTitle(nameOf(passkey))}
      draft={draft}
      set={set}
      submit={passkeys.rename}
      onSubmit={send}
      onClose={onClose}
    >
      <div className="gap dialog-fields">
        <Input name="name" label={passkeys.name} maxLength={60} />
      </div>
    </FormDialog>
  );
}
