import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../app/api.ts';
import { API } from '../../app/place.ts';
import { useSession } from '../../app/session.tsx';
import { createSubscriber, deleteSubscriber, listSubscribers } from '../../client/sdk.gen.ts';
import type { StatusPage, Subscriber } from '../../client/types.gen.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { confirm, Dialog } from '../../parts/dialog.tsx';
import { Failure, Waiting } from '../../parts/failure.tsx';
import { Choose, Form, Input } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { MonitorPicker } from '../../parts/monitor-picker.tsx';
import { Paging } from '../../parts/paging.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { DayTime } from '../../parts/time.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { ImportDialog } from './import-dialog.tsx';

const STATES = ['all', 'active', 'pending', 'ended'] as const;

/** People, webhooks and Slack channels that get each update of a page. */
export function SubscribersPanel({ page }: { page: StatusPage }): ReactNode {
  const w = words.statusPages;
  const isAdmin = useSession().isAtLeast('admin');
  const [state, setState] = useState<(typeof STATES)[number]>('all');
  const [pageNumber, setPageNumber] = useState(1);
  const [open, setOpen] = useState<'add' | 'import' | null>(null);
  const found = useRead(['status-pages', page.id, 'subscribers', state, pageNumber], () =>
    listSubscribers({
      path: { id: page.id },
      query: { page: pageNumber, ...(state !== 'all' && { state }) },
    }),
  );
  return (
    <Card title={w.subscribers}>
      <div className="sp-bar">
        <Button icon="plus" onClick={() => setOpen('add')}>
          {w.addSubscriber}
        </Button>
        <Button onClick={() => setOpen('import')}>{w.import}</Button>
        {isAdmin && (
          <a
            className="btn"
            href={`${API}/status-pages/${page.id}/subscribers/export?format=csv`}
            download
          >
            <Icon name="download" />
            {w.export}
          </a>
        )}
      </div>
      <div className="sp-bar">
        <Segmented
          label={w.state}
          choices={STATES.map((value) => ({ value, text: w.subscriberStates[value] }))}
          value={state}
          onChange={(value) => {
            setState(value);
            setPageNumber(1);
          }}
        />
      </div>
      {found.error && <Failure error={found.error} retry={() => void found.refetch()} />}
      {found.isPending && <Waiting lines={3} />}
      {found.data?.total === 0 && (
        <p className="pad dim">{state === 'all' ? w.noSubscribers : w.noneSuch}</p>
      )}
      <ul className="rows">
        {found.data?.data.map((subscriber) => (
          <SubscriberRow key={subscriber.id} page={page} subscriber={subscriber} />
        ))}
      </ul>
      <Paging page={pageNumber} last={found.data?.last_page ?? 1} onChange={setPageNumber} />
      {open === 'add' && <AddDialog page={page} onClose={() => setOpen(null)} />}
      {open === 'import' && <ImportDialog page={page} onClose={() => setOpen(null)} />}
    </Card>
  );
}

function SubscriberRow({
  page,
  subscriber,
}: {
  page: StatusPage;
  subscriber: Subscriber;
}): ReactNode {
  const w = words.statusPages;
  const { id, kind, address, state, monitors, created_at, ended_reason } = subscriber;
  const name = address ?? w.hiddenAddress;
  const remove = useChange(
    () => deleteSubscriber({ path: { id: page.id, subscriber: id } }),
    ['status-pages'],
  );
  const askToDelete = () =>
    confirm({
      title: w.deleteSubscriber(name),
      text: w.deleteSubscriberText,
      action: words.common.delete,
      onConfirm: async () => {
        await remove.mutateAsync(undefined);
        say(w.deletedSubscriber(name));
      },
    });
  return (
    <li>
      <Icon name={kind === 'email' ? 'person' : kind === 'slack' ? 'channels' : 'webhooks'} />
      <div className="sp-announcement">
        <p className="clip" title={name}>
          {name}
        </p>
        <p className="xs dim">
          {w.subscriberKinds[kind]} · {w.subscriberStates[state]}
          {monitors.length > 0 && ` · ${w.someServices(monitors.length)}`}
          {' · '}
          <DayTime time={created_at} />
        </p>
        {ended_reason !== null && <p className="xs warn">{ended_reason}</p>}
      </div>
      <IconButton look="ghost" icon="trash" label={w.deleteNamed(name)} onClick={askToDelete} />
    </li>
  );
}

const KINDS = ['email', 'webhook', 'slack'] as const;

/** Adds one subscriber. The signing secret of a webhook is shown once. */
function AddDialog({ page, onClose }: { page: StatusPage; onClose: () => void }): ReactNode {
  const w = words.statusPages;
  const [kind, setKind] = useState<Subscriber['kind']>('email');
  const [address, setAddress] = useState('');
  const [picked, setPicked] = useState<number[]>([]);
  const [secret, setSecret] = useState<string | null>(null);
  const add = useChange(
    () => createSubscriber({ path: { id: page.id }, body: { kind, address, monitors: picked } }),
    ['status-pages'],
  );
  if (secret !== null) {
    return (
      <Dialog title={w.secretTitle} onClose={onClose}>
        <p className="dim">{w.secretText}</p>
        <Copyable text={secret} label={w.secretTitle} />
        <div className="acts">
          <Button look="primary" onClick={onClose}>
            {w.secretKept}
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={w.addSubscriber} onClose={onClose}>
      <Form
        submit={w.add}
        onCancel={onClose}
        onSubmit={async () => {
          const answer = await add.mutateAsync(undefined);
          say(kind === 'email' ? w.mailSent(address) : w.subscriberAdded);
          if (typeof answer.signing_secret === 'string') setSecret(answer.signing_secret);
          else onClose();
        }}
      >
        <div className="gap sp-dialog">
          <Choose
            name="kind"
            label={w.how}
            value={kind}
            onChange={(value) => setKind(value as Subscriber['kind'])}
            options={KINDS.map((value) => ({ value, text: w.subscriberKinds[value] }))}
          />
          <Input
            name="address"
            label={w.addressOf[kind]}
            hint={w.addressHint[kind]}
            type={kind === 'email' ? 'email' : 'url'}
            value={address}
            onChange={setAddress}
          />
          <MonitorPicker
            name="monitors"
            label={w.onlyServices}
            picked={picked}
            onChange={setPicked}
            only={page.services.map(({ monitor_id }) => monitor_id)}
          />
        </div>
      </Form>
    </Dialog>
  );
}
