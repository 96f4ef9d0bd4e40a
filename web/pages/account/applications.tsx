import type { ReactNode } from 'react';
import { reread, useRead } from '../../app/api.ts';
import { call, type ConnectedApplication } from '../../app/client.ts';
import { BASE } from '../../app/place.ts';
import { accessText, destinationOf } from '../../lib/applications.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { Card } from '../../parts/page.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { AccountRow, AccountRows } from './rows.tsx';

/** Applications that act on behalf of the person, and the address to enter in one. */
export function Applications() {
  const { applications } = words.account;
  const list = useRead(['account', 'applications'], () => call('listConnectedApplications'));
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
      <p className="account-intro">
        {applications.intro}{' '}
        <a className="link" href={`${BASE}/docs#subject-connected-applications`}>
          {words.nav.api}
        </a>
      </p>
      <div className="account-fields">
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
