import { useState } from 'react';
import { reread, useRead } from '../../app/api.ts';
import { call, type StatusPage, type Subscriber, type SubscriberImport } from '../../app/client.ts';
import { API } from '../../app/place.ts';
import { useSession } from '../../app/session.ts';
import { STATUS_PAGE, SUBSCRIBER } from '../../app/fields.gen.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { confirm, Dialog, openDialog } from '../../parts/dialog.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import {
  Choose,
  ChooseId,
  Form,
  Input,
  Select,
  TextArea,
  TickGroup,
  useForm,
} from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { KeptGate } from '../../parts/kept.tsx';
import { MonitorPicker } from '../../parts/monitor-picker.tsx';
import { Card, Loading } from '../../parts/page.tsx';
import { Paging } from '../../parts/sections.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { DayTime } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { savePage } from './preview.tsx';

const w = words.statusPages;

const STATES = ['all', 'active', 'pending', 'ended'] as const;

const KINDS = ['email', 'slack', 'microsoft_teams', 'webhook', 'sms'] as const;

/** Who gets each update of a page, and in which ways visitors may subscribe. */
export function SubscribersPanel({ page }: { page: StatusPage }) {
  return (
    <div className="cols2 sp-beside">
      <SubscriberList page={page} />
      <WaysForm page={page} />
    </div>
  );
}

/** Ways in which visitors may subscribe. Channels are for admins to choose. */
function WaysForm({ page }: { page: StatusPage }) {
  const isAdmin = useSession().isAtLeast('admin');
  const channels = useRead(
    'listAlertChannels',
    { query: { type: 'sms', per_page: 100 } },
    { enabled: isAdmin },
  );
  const { draft, form } = useForm(STATUS_PAGE, () => ({
    subscribe_by: page.subscribe_by,
    sms_channel_id: page.sms_channel_id,
  }));
  const save = async () => {
    const { sms_channel_id, ...ways } = draft;
    await savePage(page, { ...ways, ...(isAdmin && { sms_channel_id }) });
  };
  return (
    <Card title={w.waysTitle}>
      <KeptGate section="status_pages" id={page.id}>
        <Form {...form} submit={words.common.save} onSubmit={save}>
          <div className="fieldset">
            <TickGroup
              name="subscribe_by"
              legend={w.waysText}
              choices={KINDS.map((value) => ({
                value,
                text: w.subscriberKinds[value],
                hint: w.wayHints[value],
              }))}
            />
            {isAdmin && draft.subscribe_by.includes('sms') && (
              <ChooseId
                name="sms_channel_id"
                label={w.smsChannel}
                none={w.noSmsChannel}
                all={channels.data?.data ?? []}
              />
            )}
          </div>
        </Form>
      </KeptGate>
    </Card>
  );
}

/** Subscribers of a page, newest first. */
function SubscriberList({ page }: { page: StatusPage }) {
  const isAdmin = useSession().isAtLeast('admin');
  const [state, setState] = useState<(typeof STATES)[number]>('all');
  const [kind, setKind] = useState<Subscriber['kind'] | ''>('');
  const [pageNumber, setPageNumber] = useState(1);
  const found = useRead('listSubscribers', {
    path: { id: page.id },
    query: { page: pageNumber, ...(state !== 'all' && { state }), ...(kind !== '' && { kind }) },
  });
  const add = () => openDialog((onClose) => <AddDialog {...{ page, onClose }} />);
  const importFile = () => openDialog((onClose) => <ImportDialog {...{ page, onClose }} />);
  return (
    <Card title={words.statusPages.tabs.subscribers}>
      <div className="row under">
        <Button icon="plus" onClick={add}>
          {w.addSubscriber}
        </Button>
        <Button onClick={importFile}>{w.import}</Button>
        {isAdmin && (
          <a
            className="btn"
            href={`${API}/status-pages/${page.id}/subscribers/export?format=csv`}
            download
          >
            <Icon name="download" />
            {words.terms.export}
          </a>
        )}
      </div>
      <div className="row under">
        <Segmented
          label={w.state}
          choices={STATES.map((value) => ({ value, text: w.subscriberStates[value] }))}
          value={state}
          onChange={(value) => {
            setState(value);
            setPageNumber(1);
          }}
        />
        <Select
          className="control auto"
          aria-label={w.how}
          value={kind}
          none={w.anyKind}
          options={KINDS.map((value) => ({ value, text: w.subscriberKinds[value] }))}
          onChange={(value) => {
            setKind(value);
            setPageNumber(1);
          }}
        />
      </div>
      <Loading reads={[found]} lines={3} />
      {found.data?.total === 0 && (
        <p className="pad dim">{state === 'all' && kind === '' ? w.noSubscribers : w.noneSuch}</p>
      )}
      <ul className="rows">
        {found.data?.data.map((subscriber) => (
          <SubscriberRow key={subscriber.id} page={page} subscriber={subscriber} />
        ))}
      </ul>
      <Paging page={pageNumber} last={found.data?.last_page ?? 1} onChange={setPageNumber} />
    </Card>
  );
}

const ICONS = {
  email: 'person',
  slack: 'channels',
  microsoft_teams: 'channels',
  webhook: 'webhooks',
  sms: 'person',
} as const;

function SubscriberRow({ page, subscriber }: { page: StatusPage; subscriber: Subscriber }) {
  const { id, kind, address, state, monitors, created_at, ended_reason } = subscriber;
  const name = address ?? w.hiddenAddress;
  const askToDelete = () =>
    confirm({
      title: words.dialog.deleteTitle(name),
      text: w.deleteSubscriberText,
      action: words.common.delete,
      onConfirm: async () => {
        await call('deleteSubscriber', { path: { id: page.id, subscriber: id } });
        await reread('status-pages');
        showToast(w.deletedSubscriber(name));
      },
    });
  return (
    <li>
      <Icon name={ICONS[kind]} />
      <div className="opens wrap">
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
      <IconButton icon="trash" label={w.deleteNamed(name)} onClick={askToDelete} />
    </li>
  );
}

/** Adds one subscriber. The signing secret of a webhook is shown once. */
function AddDialog({ page, onClose }: { page: StatusPage; onClose: () => void }) {
  const { draft, form } = useForm(SUBSCRIBER, {
    kind: 'email' as Subscriber['kind'],
    address: '',
    monitors: [] as number[],
  });
  const { kind, address } = draft;
  const add = async () => {
    const answer = await call('createSubscriber', { path: { id: page.id }, body: draft });
    await reread('status-pages');
    showToast(kind === 'email' ? w.mailSent(address) : w.subscriberAdded);
    const { signing_secret: secret } = answer;
    if (typeof secret === 'string') showSecret(secret);
  };
  return (
    <FormDialog title={w.addSubscriber} {...form} submit={w.add} onSubmit={add} onClose={onClose}>
      <div className="gap">
        <Choose name="kind" label={w.how} texts={w.subscriberKinds} />
        <Input
          name="address"
          label={w.addressOf[kind]}
          hint={w.addressHint[kind]}
          type={kind === 'email' ? 'email' : kind === 'sms' ? 'tel' : 'url'}
        />
        <MonitorPicker
          name="monitors"
          label={w.onlyServices}
          only={page.services.map(({ monitor_id }) => monitor_id)}
        />
      </div>
    </FormDialog>
  );
}

const showSecret = (secret: string) =>
  openDialog((onClose) => (
    <Dialog title={w.secretTitle} onClose={onClose}>
      <p className="dim">{w.secretText}</p>
      <Copyable text={secret} label={w.secretTitle} />
      <div className="acts">
        <Button look="primary" onClick={onClose}>
          {w.secretKept}
        </Button>
      </div>
    </Dialog>
  ));

/** Adds people from a CSV file. Looks at it first: nothing is sent before the result was seen. */
function ImportDialog({ page, onClose }: { page: StatusPage; onClose: () => void }) {
  const [csv, setCsv] = useState('');
  const [consent, setConsent] = useState('');
  const [result, setResult] = useState<SubscriberImport | null>(null);
  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    setResult(null);
  };
  return (
    <Dialog title={w.import} onClose={onClose}>
      <Form
        submit={result === null ? words.terms.check : w.importCount(result.added)}
        onCancel={onClose}
        onSubmit={async () => {
          const dry_run = result === null;
          const answer = await call('importSubscribers', {
            path: { id: page.id },
            body: { csv, dry_run, ...(consent.trim() !== '' && { consent }) },
          });
          await reread('status-pages');
          if (answer.dry_run) return setResult(answer);
          showToast(w.imported(answer.added));
          return onClose();
        }}
      >
        <div className="gap">
          <FileField onRead={change(setCsv)} />
          <TextArea
            name="csv"
            label="CSV"
            hint={w.csvHint}
            className="control mono"
            rows={6}
            placeholder={'address\nada@example.com'}
            value={csv}
            onChange={change(setCsv)}
          />
          <Input
            name="consent"
            label={w.consent}
            hint={w.consentHint}
            isOptional
            value={consent}
            onChange={change(setConsent)}
          />
          {result !== null && <ImportResult result={result} />}
        </div>
      </Form>
    </Dialog>
  );
}

function FileField({ onRead }: { onRead: (text: string) => void }) {
  return (
    <label className="input">
      <span className="label">{words.terms.file}</span>
      <input
        type="file"
        accept=".csv,text/csv,text/plain"
        onChange={async ({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) onRead(await file.text());
        }}
      />
    </label>
  );
}

/** What an import would do, with the lines that it refuses. */
function ImportResult({ result }: { result: SubscriberImport }) {
  const refused = result.rows.filter(({ outcome }) => outcome === 'refused').slice(0, 20);
  return (
    <div className="notice" role="status">
      <p>{w.importResult(result.added, result.known, result.refused)}</p>
      <ul>
        {refused.map(({ line, reason }) => (
          <li key={line}>
            {w.line(line)}: {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}
