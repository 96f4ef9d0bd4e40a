import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../app/api.ts';
import { BASE } from '../../app/place.ts';
import { listTokens, revokeToken } from '../../client/sdk.gen.ts';
import type { NewToken, Token } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { AccountRow, AccountRows } from './rows.tsx';
import { ShownToken, TokenForm } from './token-form.tsx';

/** Tokens of programs that act on behalf of the person. */
export function Tokens(): ReactNode {
  const { tokens } = words.account;
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<NewToken | null>(null);
  const list = useRead(['account', 'tokens'], () => listTokens());
  const revoke = useChange((id: number) => revokeToken({ path: { id } }), ['account']);
  const askToRevoke = ({ id, name }: Token) =>
    confirm({
      title: tokens.revokeTitle(name),
      text: tokens.revokeText,
      action: tokens.revoke,
      onConfirm: async () => {
        await revoke.mutateAsync(id);
        if (created?.id === id) setCreated(null);
        say(tokens.revoked(name));
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
      <p className="account-intro">
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
            mark={isOver(token) && <span className="pill">{tokens.expired}</span>}
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
        {isOver(token) ? tokens.expiredAt : tokens.expires} <RelativeTime time={expires_at} />
      </>
    ),
  ];
}
