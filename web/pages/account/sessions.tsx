import type { ReactNode } from 'react';
import { useChange, useRead } from '../../app/api.ts';
import { listSessions, revokeOtherSessions, revokeSession } from '../../client/sdk.gen.ts';
import type { Session } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { say, sayError } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { agentOf } from './agent.ts';
import { AccountRow, AccountRows } from './rows.tsx';

/** Devices where the person is signed in. */
export function Sessions(): ReactNode {
  const { sessions } = words.account;
  const list = useRead(['account', 'sessions'], () => listSessions());
  const end = useChange((id: number) => revokeSession({ path: { id } }), ['account']);
  const endOthers = useChange(() => revokeOtherSessions(), ['account']);
  const askToEndOthers = () =>
    confirm({
      title: sessions.endOthersTitle,
      text: sessions.endOthersText,
      action: sessions.endOthers,
      onConfirm: async () => {
        await endOthers.mutateAsync(undefined);
        say(sessions.othersEnded);
      },
    });
  const all = list.data?.data;
  return (
    <Card
      title={sessions.title}
      aside={
        all !== undefined &&
        all.length > 1 && <Button onClick={askToEndOthers}>{sessions.endOthers}</Button>
      }
    >
      <p className="account-intro">{sessions.intro}</p>
      <AccountRows list={{ ...list, data: all }} empty={sessions.none}>
        {all?.map((session) => (
          <AccountRow
            key={session.id}
            title={nameOf(session)}
            mark={session.is_current && <span className="pill">{sessions.thisOne}</span>}
            facts={[
              sessions.methods[session.method],
              session.ip_address === null ? null : sessions.from(session.ip_address),
              <>
                {sessions.lastUsed}{' '}
                <RelativeTime time={session.last_used_at ?? session.created_at} />
              </>,
            ]}
          >
            {!session.is_current && (
              <Button
                aria-label={`${sessions.end}: ${nameOf(session)}`}
                onClick={() =>
                  end.mutate(session.id, {
                    onSuccess: () => say(sessions.ended),
                    onError: sayError,
                  })
                }
              >
                {sessions.end}
              </Button>
            )}
          </AccountRow>
        ))}
      </AccountRows>
    </Card>
  );
}

function nameOf({ user_agent }: Session): string {
  const { sessions } = words.account;
  const agent = agentOf(user_agent);
  if (agent === null) return sessions.unknown;
  return agent.system === null ? agent.browser : sessions.on(agent.browser, agent.system);
}
