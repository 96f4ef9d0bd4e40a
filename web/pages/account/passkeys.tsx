import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { askAuth, type ApiError } from '../../app/api.ts';
import { addPasskey, canUsePasskeys } from '../../app/passkeys.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { confirm, Dialog } from '../../parts/dialog.tsx';
import { Form, Input } from '../../parts/form.tsx';
import { say } from '../../parts/toast.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { AccountRow, AccountRows } from './rows.tsx';
import { withProof } from './proof.ts';

interface Passkey {
  id: string;
  name?: string | null;
  createdAt?: string | null;
}

/** Passkeys of the person: add, rename, remove. */
export function Passkeys(): ReactNode {
  const { passkeys } = words.account;
  const cache = useQueryClient();
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const list = useQuery<Passkey[], ApiError>({
    queryKey: ['account', 'passkeys'],
    queryFn: () => askAuth<Passkey[]>('GET', '/passkey/list-user-passkeys'),
  });
  const read = () => cache.invalidateQueries({ queryKey: ['account', 'passkeys'] });
  const remove = (passkey: Passkey) =>
    confirm({
      title: passkeys.removeTitle(nameOf(passkey)),
      text: passkeys.removeText,
      action: passkeys.remove,
      onConfirm: async () => {
        await withProof(() => askAuth('POST', '/passkey/delete-passkey', { id: passkey.id }));
        await read();
        say(passkeys.removed);
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
        <AddPasskey onAdded={read} />
      ) : (
        <p className="account-intro faint">{passkeys.unsupported}</p>
      )}
      {renamed !== null && (
        <RenamePasskey passkey={renamed} onClose={() => setRenamed(null)} onRenamed={read} />
      )}
    </Card>
  );
}

function nameOf({ name }: Passkey): string {
  return name || words.account.passkeys.unnamed;
}

function AddPasskey({ onAdded }: { onAdded: () => Promise<void> }): ReactNode {
  const { passkeys } = words.account;
  const [name, setName] = useState('');
  const send = async () => {
    await withProof(() => addPasskey(name.trim()));
    setName('');
    await onAdded();
    say(passkeys.addedOne);
  };
  return (
    <Form submit={passkeys.add} isPrimary={false} onSubmit={send}>
      <div className="gap account-fields">
        <Input
          name="name"
          label={passkeys.name}
          hint={passkeys.nameHint}
          maxLength={60}
          value={name}
          onChange={setName}
        />
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
}): ReactNode {
  const { passkeys } = words.account;
  const [name, setName] = useState(passkey.name ?? '');
  const send = async () => {
    await askAuth('POST', '/passkey/update-passkey', { id: passkey.id, name: name.trim() });
    await onRenamed();
    onClose();
  };
  return (
    <Dialog title={passkeys.renameTitle(nameOf(passkey))} onClose={onClose}>
      <Form submit={passkeys.rename} onSubmit={send} onCancel={onClose}>
        <div className="gap dialog-fields">
          <Input name="name" label={passkeys.name} maxLength={60} value={name} onChange={setName} />
        </div>
      </Form>
    </Dialog>
  );
}
