import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useChange } from '../../app/api.ts';
import { API } from '../../app/place.ts';
import { createToken } from '../../client/sdk.gen.ts';
import type { NewToken, Token } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton, Copyable } from '../../parts/copy.tsx';
import { Choose, Form, Input } from '../../parts/form.tsx';
import { TickGroup } from '../../parts/severities.tsx';
import { words } from '../../words/index.ts';

type Permission = Token['permissions'][number];

const PERMISSIONS: readonly Permission[] = ['read', 'create', 'update', 'delete'];
/** Choices of the time until a token expires, in days; 0 for never. */
const LIFETIMES = ['30', '90', '365', '0'] as const;
const DAY_MS = 86_400_000;

/** Name, permissions and expiry of a new token. */
export function TokenForm({
  onCreated,
  onCancel,
}: {
  onCreated: (token: NewToken) => void;
  onCancel: () => void;
}): ReactNode {
  const { tokens } = words.account;
  const [name, setName] = useState('');
  const [permissions, setPermissions] = useState<readonly Permission[]>(['read']);
  const [days, setDays] = useState<string>('90');
  const create = useChange(
    () =>
      createToken({
        body: {
          name: name.trim(),
          permissions: [...permissions],
          expires_at:
            days === '0' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
        },
      }),
    ['account'],
  );
  return (
    <div className="account-form">
      <Form
        submit={tokens.create}
        onCancel={onCancel}
        onSubmit={async () => onCreated(await create.mutateAsync(undefined))}
      >
        <div className="gap account-fields">
          <Input
            name="name"
            label={tokens.name}
            hint={tokens.nameHint}
            maxLength={100}
            autoFocus
            value={name}
            onChange={setName}
          />
          <TickGroup
            name="permissions"
            legend={tokens.permissions}
            choices={PERMISSIONS.map((value) => ({
              value,
              text: words.account.permissions[value].title,
              hint: words.account.permissions[value].text,
            }))}
            value={permissions}
            onChange={setPermissions}
          />
          <Choose
            name="expires_at"
            label={tokens.expiry}
            value={days}
            onChange={setDays}
            options={LIFETIMES.map((value) => ({ value, text: tokens.lifetimes[value] }))}
          />
        </div>
      </Form>
    </div>
  );
}

/** The new token, shown once: it stays until it is closed on purpose. */
export function ShownToken({
  token: { name, token },
  onClose,
}: {
  token: NewToken;
  onClose: () => void;
}): ReactNode {
  const { tokens } = words.account;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const address = new URL(API, location.href).href;
  const line = `curl -H "Authorization: Bearer ${token}" ${address}`;
  return (
    <div className="account-once" tabIndex={-1} ref={box} role="group" aria-label={tokens.copyNow}>
      <p className="b">{tokens.copyNow}</p>
      <p className="dim">{tokens.shownOnce(name)}</p>
      <Copyable text={token} label={tokens.token} />
      <p className="dim">{tokens.tryIt}</p>
      <pre>{line}</pre>
      <div className="row">
        <CopyButton text={line} label={tokens.copyLine} />
        <Button onClick={onClose}>{tokens.copied}</Button>
      </div>
    </div>
  );
}
