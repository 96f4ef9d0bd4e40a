import type { ReactNode } from 'react';
import { reread, useRead } from '../../app/api.ts';
import { call, type ConnectedApplication, type Session } from '../../app/client.ts';
import { Button } from '../../parts/button.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { Card } from '../../parts/page.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { attempt, showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { agentOf } from './agent.ts';
import { AccountRow, AccountRows } from './rows.tsx';
import { BASE } from '../../app/place.ts';
import { accessText, destinationOf } from '../../lib/applications.ts';
import { Copyable } from '../../parts/copy.tsx';

/** Devices where the person is signed in. */
export function Sessions() {
  const { sessions } = words.account;
  const list = useRead('listSessions');
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
      <p className="inset sm dim">{sessions.intro}</p>
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
                {words.account.tokens.lastUsed}{' '}
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

/** Applications that act on behalf of the person, and the address to enter in one. */
export function Applications() {
  const { applications } = words.account;
  const list = useRead('listConnectedApplications');
  const askToDisconnect = ({ id, name, team }: ConnectedApplication) =>
    confirm({
      title: applications.disconnectTitle(name, team.name),
      text: applications.disconnectText,
      action: applications.disconnect,
      onConfirm: async () => {
        await call('disconnectApplication', { path: { id } });
        await reread('account');
        showToast(applications.disconnected(name));
      },
    });
  return (
    <Card title={applications.title}>
      <p className="inset sm dim">
        {applications.intro}{' '}
        <a className="link" href={`${BASE}/docs#subject-connected-applications`}>
          {words.nav.api}
        </a>
      </p>
      <div className="inset">
        <Copyable text={new URL(`${BASE}/mcp`, location.href).href} label={applications.address} />
      </div>
      <AccountRows list={{ ...list, data: list.data?.data }} empty={applications.none}>
        {list.data?.data.map((application) => (
          <AccountRow key={application.id} title={application.name} facts={factsOf(application)}>
            <Button
              aria-label={`${applications.disconnect}: ${application.name}`}
              onClick={() => askToDisconnect(application)}
            >
              {applications.disconnect}
            </Button>
          </AccountRow>
        ))}
      </AccountRows>
    </Card>
  );
}

function factsOf(application: ConnectedApplication): ReactNode[] {
  const { applications, tokens } = words.account;
  const { host, team, permissions, role_now, connected_at, last_used_at } = application;
  return [
    destinationOf(host, applications),
    applications.team(team.name),
    accessText(permissions, role_now, applications),
    <>
      {applications.connected} <RelativeTime time={connected_at} />
    </>,
    last_used_at === null ? (
      tokens.neverUsed
    ) : (
      <>
        {tokens.lastUsed} <RelativeTime time={last_used_at} />
      </>
    ),
  ];
}
