import { useState, type ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { useChange, useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import {
  acknowledgeIncident,
  deleteIncident,
  getIncident,
  resolveIncident,
  updateIncident,
} from '../../client/sdk.gen.ts';
import type { IncidentDetail } from '../../client/types.gen.ts';
import { duration } from '../../lib/format.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { confirm, Dialog } from '../../parts/dialog.tsx';
import { Failure, Waiting } from '../../parts/failure.tsx';
import { Form, TextArea } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { openMenu } from '../../parts/menu.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { DayTime, Since } from '../../parts/time.tsx';
import { say, sayError } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { AlsoThen, Details } from './details.tsx';
import { Evidence } from './evidence.tsx';
import { incidentStanding, incidentTitle, monitorName } from './names.ts';
import { Why } from './rounds.tsx';
import { Timeline } from './timeline.tsx';

const CONCERNED = ['incident', 'incidents', 'monitors', 'monitor'];

/** One incident: what broke, where, since when, and who is on it? */
export default function IncidentPage(): ReactNode {
  const id = Number(useParams<{ id: string }>().id);
  const read = useRead(['incident', id], () => getIncident({ path: { id } }));
  if (read.error && (read.data === undefined || read.error.status === 404))
    return <Failure error={read.error} retry={() => void read.refetch()} />;
  if (read.data === undefined) return <Waiting lines={8} />;
  return <IncidentView incident={read.data} />;
}

function IncidentView({ incident }: { incident: IncidentDetail }): ReactNode {
  const [isEditing, setEditing] = useState(false);
  return (
    <>
      <PageHead
        crumbs={[{ text: words.incidents.title, href: '/incidents' }, { text: `#${incident.id}` }]}
        standing={incidentStanding(incident)}
        title={incidentTitle(incident)}
        text={<Meta incident={incident} />}
        actions={<Actions incident={incident} onEdit={() => setEditing(true)} />}
      />
      <div className="cols2">
        <div className="stack">
          <Why incident={incident} />
          <Evidence evidence={incident.evidence} />
          <AlsoThen incident={incident} />
        </div>
        <div className="stack">
          <Timeline incident={incident} />
          <Details incident={incident} />
        </div>
      </div>
      {isEditing && <EditCause incident={incident} onClose={() => setEditing(false)} />}
    </>
  );
}

/** State, severity, since when, and the monitor. */
function Meta({ incident }: { incident: IncidentDetail }): ReactNode {
  const isOpen = incident.status === 'open';
  return (
    <div className="meta">
      {isOpen ? (
        <span className={incident.severity === 'critical' ? 'pill down' : 'pill'}>
          <span>
            {words.incident.open} · <Since time={incident.started_at} />
          </span>
        </span>
      ) : (
        <span className="pill">
          <Icon name="check" />
          {words.incident.resolvedAfter(
            duration((incident.duration_seconds ?? 0) * 1_000, words.time),
          )}
        </span>
      )}
      <span>{words.incidents.severities[incident.severity]}</span>
      <span className="faint" aria-hidden="true">
        ·
      </span>
      <span>
        {words.incident.since} <DayTime time={incident.started_at} />
      </span>
      <span className="faint" aria-hidden="true">
        ·
      </span>
      <Link className="link" href={`/monitors/${incident.monitor_id}`}>
        {monitorName(incident.monitor)}
      </Link>
    </div>
  );
}

function Actions({
  incident,
  onEdit,
}: {
  incident: IncidentDetail;
  onEdit: () => void;
}): ReactNode {
  const { isAtLeast } = useSession();
  const path = { id: incident.id };
  const acknowledge = useChange(() => acknowledgeIncident({ path }), CONCERNED);
  const resolve = useChange(() => resolveIncident({ path }), CONCERNED);
  const reopen = useChange(() => updateIncident({ path, body: { status: 'open' } }), CONCERNED);
  const remove = useRemove(incident);
  if (!isAtLeast('editor')) return null;
  const isOpen = incident.status === 'open';
  const resolveNow = () =>
    resolve.mutate(undefined, {
      onError: sayError,
      onSuccess: () =>
        say(words.incident.resolved, () => reopen.mutate(undefined, { onError: sayError })),
    });
  return (
    <>
      {isOpen && incident.acknowledged_at === null && (
        <Button
          look="primary"
          icon="check"
          isBusy={acknowledge.isPending}
          onClick={() =>
            acknowledge.mutate(undefined, {
              onError: sayError,
              onSuccess: () => say(words.incident.acknowledged),
            })
          }
        >
          {words.incident.acknowledge}
        </Button>
      )}
      {isOpen && (
        <Button isBusy={resolve.isPending} onClick={resolveNow}>
          {words.incident.resolve}
        </Button>
      )}
      <IconButton
        icon="more"
        label={words.common.more}
        aria-haspopup="menu"
        onClick={({ currentTarget }) =>
          openMenu({
            label: words.common.more,
            anchor: currentTarget,
            items: [
              { text: words.incident.editCause, icon: 'edit', onSelect: onEdit },
              ...(isOpen
                ? []
                : [
                    {
                      text: words.incident.reopen,
                      icon: 'refresh' as const,
                      onSelect: () => reopen.mutate(undefined, { onError: sayError }),
                    },
                  ]),
              'line',
              { text: words.common.delete, icon: 'trash', isDanger: true, onSelect: remove },
            ],
          })
        }
      />
    </>
  );
}

/** Asks, then deletes the incident and goes back to the list. */
function useRemove(incident: IncidentDetail): () => void {
  const [, navigate] = useLocation();
  const remove = useChange(
    () => deleteIncident({ path: { id: incident.id } }),
    ['incidents', 'monitors', 'monitor'],
  );
  return () =>
    confirm({
      title: words.incident.deleteTitle(incident.id),
      text: words.incident.deleteText(monitorName(incident.monitor)),
      action: words.common.delete,
      onConfirm: async () => {
        await remove.mutateAsync(undefined);
        navigate('/incidents', { replace: true });
        say(words.incident.deleted);
      },
    });
}

function EditCause({
  incident,
  onClose,
}: {
  incident: IncidentDetail;
  onClose: () => void;
}): ReactNode {
  const [cause, setCause] = useState(incident.root_cause ?? '');
  const change = useChange(
    (root_cause: string | null) =>
      updateIncident({ path: { id: incident.id }, body: { root_cause } }),
    CONCERNED,
  );
  return (
    <Dialog title={words.incident.editCause} onClose={onClose}>
      <Form
        submit={words.common.save}
        onCancel={onClose}
        onSubmit={async () => {
          await change.mutateAsync(cause.trim() === '' ? null : cause);
          onClose();
          say(words.incident.saved);
        }}
      >
        <div className="fieldset">
          <TextArea
            name="root_cause"
            label={words.incidents.cause}
            hint={words.incident.causeHint}
            value={cause}
            onChange={setCause}
          />
        </div>
      </Form>
    </Dialog>
  );
}
