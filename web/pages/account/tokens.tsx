import { useEffect, useRef, useState, type ReactNode } from 'react';
import { reread, useRead } from '../../app/api.ts';
import { call, type NewToken, type Token } from '../../app/client.ts';
import { API, BASE } from '../../app/place.ts';
import { TOKEN } from '../../app/fields.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable, CopyButton } from '../../parts/copy.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { Choose, Form, Input, TickGroup, useForm } from '../../parts/form.tsx';
import { Card } from '../../parts/page.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { AccountRow, AccountRows } from './rows.tsx';

/** Tokens of programs that act on behalf of the person. */
export function Tokens() {
  const { tokens } = words.account;
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<NewToken | null>(null);
  const list = useRead('listTokens');
  const askToRevoke = ({ id, name }: Token) =>
    confirm({
      title: tokens.revokeTitle(name),
      text: tokens.revokeText,
      action: tokens.revoke,
      onConfirm: async () => {
        await call('revokeToken', { path: { id } });
        await reread('account');
        if (created?.id === id) setCreated(null);
        showToast(tokens.revoked(name));
      },
    });
  return (
    <Card
      title={tokens.title}
      aside={
        !isCreating && (
          <Button icon="plus" onClick={() => setCreating(true)}>
            {tokens.create}
          </Button>
        )
      }
    >
      <p className="inset sm dim">
        {tokens.intro}{' '}
        <a className="link" href={`${BASE}/docs`}>
          {words.nav.api}
        </a>
      </p>
      {created !== null && <ShownToken token={created} onClose={() => setCreated(null)} />}
      {isCreating && (
        <TokenForm
          onCancel={() => setCreating(false)}
          onCreated={(token) => {
            setCreated(token);
            setCreating(false);
          }}
        />
      )}
      <AccountRows list={{ ...list, data: list.data?.data }} empty={tokens.none}>
        {list.data?.data.map((token) => (
          <AccountRow
            key={token.id}
            title={token.name}
            mark={isOver(token) && <span className="pill">{words.terms.expired}</span>}
            facts={factsOf(token)}
          >
            <Button
              aria-label={`${tokens.revoke}: ${token.name}`}
              onClick={() => askToRevoke(token)}
            >
              {tokens.revoke}
            </Button>
          </AccountRow>
        ))}
      </AccountRows>
    </Card>
  );
}

function isOver({ expires_at }: Token): boolean {
  return expires_at !== null && Date.parse(expires_at) <= Date.now();
}

function factsOf(token: Token): ReactNode[] {
  const { tokens, permissions } = words.account;
  const { expires_at, last_used_at } = token;
  return [
    token.permissions.map((permission) => permissions[permission].title).join(', '),
    last_used_at === null ? (
      tokens.neverUsed
    ) : (
      <>
        {tokens.lastUsed} <RelativeTime time={last_used_at} />
      </>
    ),
    expires_at === null ? (
      tokens.neverExpires
    ) : (
      <>
        {isOver(token) ? words.terms.expired : words.terms.expires}{' '}
        <RelativeTime time={expires_at} />
      </>
    ),
  ];
}

type Permission = Token['permissions'][number];

const PERMISSIONS: readonly Permission[] = ['read', 'create', 'update', 'delete'];
/** Choices of the time until a token expires, in days; 0 for never. */
const LIFETIMES = ['30', '90', '365', '0'] as const;
const DAY_MS = 86_400_000;

/** Name, permissions and expiry of a new token. */
function TokenForm(props: { onCreated: (token: NewToken) => void; onCancel: () => void }) {
  const { onCreated, onCancel } = props;
  const { tokens, permissions } = words.account;
  const { draft, form } = useForm(TOKEN, {
    name: '',
    permissions: ['read'] as Permission[],
    /** Days; 0 for never. */
    expires_at: '90',
  });
  const create = async () => {
    const days = Number(draft.expires_at);
    const body = {
      name: draft.name.trim(),
      permissions: draft.permissions,
      expires_at: days === 0 ? null : new Date(Date.now() + days * DAY_MS).toISOString(),
    };
    const token = await call('createToken', { body });
    await reread('account');
    onCreated(token);
  };
  return (
    <div className="account-form">
      <Form {...form} submit={tokens.create} onCancel={onCancel} onSubmit={create}>
        <div className="gap inset">
          <Input name="name" label={words.labels.name} hint={tokens.nameHint} autoFocus />
          <TickGroup
            name="permissions"
            legend={tokens.permissions}
            choices={PERMISSIONS.map((value) => ({
              value,
              text: permissions[value].title,
              hint: permissions[value].text,
            }))}
          />
          <Choose
            name="expires_at"
            label={words.terms.expiry}
            options={LIFETIMES.map((value) => ({ value, text: tokens.lifetimes[value] }))}
          />
        </div>
      </Form>
    </div>
  );
}

/** The new token, shown once: it stays until it is closed on purpose. */
function ShownToken({ token: { name, token }, onClose }: { token: NewToken; onClose: () => void }) {
  const { tokens } = words.account;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const address = new URL(API, location.href).href;
  const line = `curl -H "Authorization: Bearer ${token}" ${address}`;
  return (
    <div
      className="stack sm account-once"
      tabIndex={-1}
      ref={box}
      role="group"
      aria-label={tokens.copyNow}
    >
      <p className="b">{tokens.copyNow}</p>
      <p className="dim">{tokens.shownOnce(name)}</p>
      <Copyable text={token} label={words.terms.token} />
      <p className="dim">{tokens.tryIt}</p>
      <pre className="wrap">{line}</pre>
      <div className="row">
        <CopyButton text={line} label={tokens.copyLine} />
        <Button onClick={onClose}>{words.terms.haveCopied}</Button>
      </div>
    </div>
  );
}
