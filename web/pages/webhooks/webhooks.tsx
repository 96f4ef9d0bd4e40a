import { useState } from 'react';
import { useLocation } from 'wouter';
import { reread, useRead } from '../../app/api.ts';
import { call, type WebhookEndpoint } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { WEBHOOK_ENDPOINT } from '../../app/fields.gen.ts';
import { severityText } from '../../lib/severity.ts';
import { Button } from '../../parts/button.tsx';
import { openDialog } from '../../parts/dialog.tsx';
import { Entry } from '../../parts/entry.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Tick, useForm } from '../../parts/form.tsx';
import { Card, Empty, isLoaded, Loading, NeedsRole, PageHead } from '../../parts/page.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import {
  bodyOf,
  HEALTH_STATUS,
  healthOf,
  needsAttention,
  NEW_WEBHOOK,
  reasonOf,
} from './endpoint.ts';
import { showSecret, WebhookFields } from './form.tsx';

/** Webhook endpoints: do they get their events? */
export default function WebhooksPage() {
  const { isAtLeast } = useSession();
  const read = useRead('listWebhookEndpoints');
  if (!isLoaded(read)) return <Loading reads={[read]} lines={5} />;
  const { webhooks } = words;
  const all = read.data.data;
  const failing = all.filter(needsAttention).length;
  const isAdmin = isAtLeast('admin');
  return (
    <>
      <PageHead
        {...(all.length > 0 && {
          displayStatus: failing === 0 ? ('online' as const) : ('degraded' as const),
        })}
        title={
          all.length === 0
            ? webhooks.none
            : failing === 0
              ? webhooks.well(all.length)
              : webhooks.fail(failing, all.length)
        }
        tabTitle={words.nav.webhooks}
        text={webhooks.headText}
        actions={
          isAdmin && (
            <Button look="primary" icon="plus" onClick={create}>
              {webhooks.new}
            </Button>
          )
        }
      />
      <Card>
        {all.length === 0 ? (
          <Empty
            title={webhooks.emptyTitle}
            text={isAdmin ? webhooks.emptyText : <NeedsRole least="admin" />}
          />
        ) : (
          <ul className="entry-list">
            {all.map((endpoint) => (
              <EndpointEntry key={endpoint.id} endpoint={endpoint} />
            ))}
          </ul>
        )}
      </Card>
    </>
  );
}

function EndpointEntry({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { webhooks, channels } = words;
  const { id, name, url_host: host, severities, last_delivered_at: last } = endpoint;
  const health = healthOf(endpoint);
  const facts = [
    host,
    severities.length === 3 ? webhooks.allEvents : channels.facts.only(severityText(severities)),
  ];
  return (
    <Entry
      shape={<StatusShape displayStatus={HEALTH_STATUS[health]} isDecoration />}
      name={name}
      href={`/webhooks/${id}`}
      at={
        <>
          {health === 'off' && words.terms.off}
          {health === 'deactivated' && <span className="down">{webhooks.deactivated}</span>}
          {health === 'failing' && (
            <span className="down">
              {words.channels.stateFailing} <RelativeTime time={endpoint.failing_since!} />
            </span>
          )}
          {health === 'untried' && webhooks.never}
          {health === 'works' && (
            <>
              {webhooks.last} <RelativeTime time={last!} />
            </>
          )}
        </>
      }
    >
      <p className="sub">{facts.join(' · ')}</p>
      {needsAttention(endpoint) && <p className="sub down">{reasonOf(endpoint)}</p>}
    </Entry>
  );
}

const create = () => openDialog((onClose) => <CreateDialog onClose={onClose} />);

/** Creates an endpoint, then a secret for it, which is shown once. */
function CreateDialog({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const { draft, form } = useForm(WEBHOOK_ENDPOINT, { ...NEW_WEBHOOK, signing_secret: true });
  const [made, setMade] = useState<WebhookEndpoint | null>(null);
  const { webhooks } = words;
  const finish = ({ id, name }: WebhookEndpoint) => {
    navigate(`/webhooks/${id}`);
    showToast(webhooks.created(name));
    void reread('webhook-endpoints');
  };
  const send = async () => {
    // A second attempt after a failed secret does not create a second endpoint.
    const body = { url: '', ...bodyOf(draft) };
    const endpoint = made ?? (await call('createWebhookEndpoint', { body }));
    if (!draft.signing_secret) return finish(endpoint);
    setMade(endpoint);
    const secret = await call('rotateWebhookSecret', { path: { id: endpoint.id }, body: {} });
    showSecret(secret, () => finish(endpoint));
  };
  return (
    <FormDialog
      title={webhooks.new}
      size="large"
      {...form}
      submit={webhooks.create}
      onSubmit={send}
      onClose={onClose}
    >
      <fieldset className="fieldset">
        <WebhookFields stored={null} auth={draft.auth_type} />
        <Tick name="signing_secret" label={webhooks.signed} hint={webhooks.signedHint} />
      </fieldset>
    </FormDialog>
  );
}
