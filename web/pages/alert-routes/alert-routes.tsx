import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useRead } from '../../app/api.ts';
import { type AlertChannel, type AlertRoute } from '../../app/client.ts';
import { useTeamNames, type TeamNames } from '../../app/names.ts';
import { useSession } from '../../app/session.ts';
import { severityText } from '../../lib/severity.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Entry } from '../../parts/entry.tsx';
import { Icon } from '../../parts/icon.tsx';
import { KeptGate, Mark, useKeptList } from '../../parts/kept.tsx';
import { Card, isLoaded, Loading, NeedsRole, PageHead } from '../../parts/page.tsx';
import { namesOf, scopeText } from '../../parts/scope.ts';
import { words } from '../../words/index.ts';
import { RoutePreview } from './preview.tsx';
import { routeCollection, RouteDialog, type Recipients } from './route-dialog.tsx';

const { alertRoutes } = words;

/** Routes: who is notified of what? For admins. */
export default function AlertRoutesPage() {
  if (useSession().isAtLeast('admin')) return <Routes />;
  return <PageHead title={words.nav.alertRoutes} text={<NeedsRole least="admin" />} />;
}

function Routes() {
  const query = new URLSearchParams(useSearch());
  const asked = Number(query.get('route'));
  /** Channel that a new route shall notify. */
  const to = Number(query.get('to'));
  /** Id of the route in the dialog; 0 for a new one. */
  const [open, setOpen] = useState<number | null>(asked > 0 ? asked : to > 0 ? 0 : null);
  const [, navigate] = useLocation();
  /** The address may have opened the dialog: it would again. */
  const close = () => {
    setOpen(null);
    navigate('/alert-routes', { replace: true });
  };
  const routes = useRead('listAlertRoutes');
  const channels = useRead('listAlertChannels', { query: { per_page: 100, direction: 'asc' } });
  const users = useRead('listUsers');
  if (!isLoaded(routes) || !isLoaded(channels) || !isLoaded(users))
    return <Loading reads={[routes, channels, users]} lines={6} />;
  const all = routes.data.data;
  const recipients: Recipients = { channels: channels.data.data, users: users.data.data };
  const edited = all.find(({ id }) => id === open) ?? null;
  return (
    <>
      <PageHead
        title={all.length === 0 ? alertRoutes.none : alertRoutes.count(all.length)}
        tabTitle={words.nav.alertRoutes}
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
        <KeptGate section="alert_routes" id={edited?.id ?? null} onCancel={close}>
          <RouteDialog
            route={edited}
            position={(all.at(-1)?.sort_order ?? -1) + 1}
            channels={recipients.channels.some(({ id }) => id === to) ? [to] : []}
            recipients={recipients}
            onClose={close}
          />
        </KeptGate>
      )}
    </>
  );
}

function RouteList(props: {
  routes: readonly AlertRoute[];
  recipients: Recipients;
  defaults: readonly AlertChannel[];
  onEdit: (id: number) => void;
}) {
  const { routes, recipients, defaults, onEdit } = props;
  const names = useTeamNames();
  const kept = useKeptList('alert_routes');
  return (
    <Card title={words.nav.alertRoutes}>
      <ol className="entry-list">
        {routes.map((route) => (
          <Entry
            key={route.id}
            shape={<Icon name="routes" />}
            name={route.name}
            onOpen={() => onEdit(route.id)}
            acts={
              <IconButton
                icon="trash"
                label={`${words.common.delete}: ${route.name}`}
                onClick={() => routeCollection.askToDelete(route)}
              />
            }
          >
            <p className={route.scope === 'nothing' ? 'sub warn' : 'sub'}>
              {aboutText(route, names)}
            </p>
            <Flow steps={stepsText(route, recipients)} />
            <Mark keeper={kept.get(route.id)} />
          </Entry>
        ))}
        <Entry shape={<Icon name="channels" />} name={alertRoutes.defaultTitle}>
          <p className="sub">{alertRoutes.defaultWhat}</p>
          <Flow
            steps={[
              defaults.length === 0
                ? alertRoutes.defaultOwn
                : alertRoutes.defaultTo(defaults.map(({ name }) => name).join(', ')),
            ]}
          />
        </Entry>
      </ol>
    </Card>
  );
}

/** Steps of a notification in their order, as boxes with arrows between them. */
function Flow({ steps }: { steps: readonly string[] }) {
  return (
    <ol className="row xs flow">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}

/** What a route is about: "Critical incidents of group Data". */
function aboutText(route: AlertRoute, names: TeamNames): string {
  if (route.scope === 'nothing') return alertRoutes.matchesNothing;
  const list = severityText(route.severities);
  const start = list.slice(0, 1).toUpperCase() + list.slice(1);
  return alertRoutes.what(
    route.severities.length === 3 ? alertRoutes.every : start,
    scopeText(route, names),
  );
}

/** Whom a route notifies, one text for each step. */
function stepsText(route: AlertRoute, { channels, users }: Recipients): string[] {
  const who = (step: Pick<AlertRoute, 'channels' | 'users'>) =>
    [...namesOf(step.channels, channels), ...namesOf(step.users, users)].join(', ');
  const first = who(route);
  return [
    ...(first === '' ? [] : [alertRoutes.atFirst(first)]),
    ...route.escalation.map((step) => alertRoutes.thenNotified(who(step), step.after_minutes)),
    ...(route.reminder_minutes === null ? [] : [alertRoutes.remind(route.reminder_minutes)]),
  ];
}
