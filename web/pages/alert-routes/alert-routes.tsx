import { useState, type ReactNode } from 'react';
import { useSearch } from 'wouter';
import { ask, queries, useRead } from '../../app/api.ts';
import { useTeamNames } from '../../app/names.ts';
import { useSession } from '../../app/session.tsx';
import {
  deleteAlertRoute,
  listAlertChannels,
  listAlertRoutes,
  listUsers,
  updateAlertRoute,
} from '../../client/sdk.gen.ts';
import type { AlertChannel, AlertRoute } from '../../client/types.gen.ts';
import { moved } from '../../lib/order.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { Failure, Waiting } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { say, sayError } from '../../parts/toast.tsx';
import { NeedsRole } from '../../parts/needs-role.tsx';
import { words } from '../../words/index.ts';
import { RoutePreview } from './preview.tsx';
import { RouteDialog } from './route-dialog.tsx';
import { aboutText, stepsText, type Recipients } from './sentence.ts';

/** Routes: who is notified of what? For admins. */
export default function AlertRoutesPage(): ReactNode {
  const { isAtLeast } = useSession();
  const { alertRoutes } = words;
  if (isAtLeast('admin')) return <Routes />;
  return <PageHead title={alertRoutes.title} text={<NeedsRole least="admin" />} />;
}

function Routes(): ReactNode {
  const query = new URLSearchParams(useSearch());
  const asked = Number(query.get('route'));
  /** Channel that a new route shall notify. */
  const to = Number(query.get('to'));
  /** Id of the route in the dialog; 0 for a new one. */
  const [open, setOpen] = useState<number | null>(asked > 0 ? asked : to > 0 ? 0 : null);
  const routes = useRead(['alert-routes'], () => listAlertRoutes());
  const channels = useRead(['alert-channels'], () =>
    listAlertChannels({ query: { per_page: 100, direction: 'asc' } }),
  );
  const users = useRead(['members'], () => listUsers());
  const failed = routes.error ?? channels.error ?? users.error;
  if (failed) return <Failure error={failed} retry={() => void queries.invalidateQueries()} />;
  if (routes.data === undefined || channels.data === undefined || users.data === undefined)
    return <Waiting lines={6} />;
  const { alertRoutes } = words;
  const all = routes.data.data;
  const recipients: Recipients = { channels: channels.data.data, users: users.data.data };
  const edited = all.find(({ id }) => id === open) ?? null;
  return (
    <>
      <PageHead
        title={all.length === 0 ? alertRoutes.none : alertRoutes.count(all.length)}
        tabTitle={alertRoutes.title}
        text={alertRoutes.headText}
        actions={
          <Button look="primary" icon="plus" onClick={() => setOpen(0)}>
            {alertRoutes.new}
          </Button>
        }
      />
      <div className="cols2">
        <RouteList
          routes={all}
          recipients={recipients}
          defaults={channels.data.data.filter((channel) => channel.is_default && channel.enabled)}
          onEdit={setOpen}
        />
        <RoutePreview />
      </div>
      {(open === 0 || edited !== null) && (
        <RouteDialog
          route={edited}
          position={(all.at(-1)?.sort_order ?? -1) + 1}
          channels={recipients.channels.some(({ id }) => id === to) ? [to] : []}
          recipients={recipients}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

function RouteList({
  routes,
  recipients,
  defaults,
  onEdit,
}: {
  routes: readonly AlertRoute[];
  recipients: Recipients;
  defaults: readonly AlertChannel[];
  onEdit: (id: number) => void;
}): ReactNode {
  const names = useTeamNames();
  const { alertRoutes } = words;
  return (
    <Card title={alertRoutes.title}>
      <ol className="entry-list">
        {routes.map((route, index) => (
          <li key={route.id} className="entry">
            <Icon name="routes" />
            <div>
              <p className="name">
                <button type="button" className="name-button" onClick={() => onEdit(route.id)}>
                  {route.name}
                </button>
              </p>
              <p className={route.scope === 'nothing' ? 'sub warn' : 'sub'}>
                {aboutText(route, names)}
              </p>
              <p className="sub">→ {stepsText(route, recipients).join(', ')}</p>
            </div>
            <div className="acts">
              <IconButton
                look="ghost"
                icon="up"
                label={alertRoutes.up(route.name)}
                isBusy={index === 0}
                onClick={() => void move(routes, index, -1)}
              />
              <IconButton
                look="ghost"
                icon="down"
                label={alertRoutes.down(route.name)}
                isBusy={index === routes.length - 1}
                onClick={() => void move(routes, index, 1)}
              />
              <IconButton
                look="ghost"
                icon="trash"
                label={`${words.common.delete}: ${route.name}`}
                onClick={() => askToDelete(route)}
              />
            </div>
          </li>
        ))}
        <li className="entry">
          <Icon name="channels" />
          <div>
            <p className="name">{alertRoutes.defaultTitle}</p>
            <p className="sub">{alertRoutes.defaultWhat}</p>
            <p className="sub">
              →{' '}
              {defaults.length === 0
                ? alertRoutes.defaultOwn
                : alertRoutes.defaultTo(defaults.map(({ name }) => name).join(', '))}
            </p>
          </div>
        </li>
      </ol>
      {routes.length > 1 && <p className="order-hint">{alertRoutes.orderHint}</p>}
    </Card>
  );
}

/** Writes the places of those routes that change theirs. */
async function move(routes: readonly AlertRoute[], index: number, by: -1 | 1): Promise<void> {
  const { id, name } = routes[index]!;
  const next = moved(routes, index, by);
  try {
    for (const [place, route] of next.entries()) {
      if (route.sort_order !== place)
        await ask(updateAlertRoute({ path: { id: route.id }, body: { sort_order: place } }));
    }
    say(words.alertRoutes.moved(name, next.findIndex((route) => route.id === id) + 1));
  } catch (error) {
    sayError(error);
  }
  await queries.invalidateQueries({ queryKey: ['alert-routes'] });
}

function askToDelete({ id, name }: AlertRoute): void {
  const { alertRoutes } = words;
  confirm({
    title: alertRoutes.deleteTitle(name),
    text: alertRoutes.deleteText,
    action: words.common.delete,
    onConfirm: async () => {
      await ask(deleteAlertRoute({ path: { id } }));
      say(alertRoutes.deleted(name));
      await queries.invalidateQueries({ queryKey: ['alert-routes'] });
    },
  });
}
