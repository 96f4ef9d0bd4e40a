import { reread, useRead } from '../../app/api.ts';
import { call, type Session } from '../../app/client.ts';
import { Button } from '../../parts/button.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { Card } from '../../parts/page.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { attempt, showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { agentOf } from './agent.ts';
import { AccountRow, AccountRows } from './rows.tsx';

/** Devices where the person is signed in. */
export function Sessions() {
  const { sessions } = words.account;
  const list = useRead(['account', 'sessions'], () => call('listSessions'));
  const end = (id: number) =>
    attempt(async () => {
      await call('revokeSession', { path: { id } });
      await reread('account');
      return sessions.ended;
    });
  const askToEndOthers = () =>
    confirm({
      title: sessions.endOthersTitle,
      text: sessions.endOthersText,
      action: sessions.endOthers,
      onConfirm: async () => {
        await call('revokeOtherSessions');
        await reread('account');
        showToast(sessions.othersEnded);
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
                onClick={() => void end(session.id)}
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
