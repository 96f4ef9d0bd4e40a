import { useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { ask, queries, useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import {
  createWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
} from '../../client/sdk.gen.ts';
import type { WebhookEndpoint, WebhookSecret } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty, Failure, Waiting } from '../../parts/failure.tsx';
import { Tick } from '../../parts/form.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { severityText } from '../../parts/severity-text.ts';
import { StatusShape } from '../../parts/status.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { say } from '../../parts/toast.tsx';
import { NeedsRole } from '../../parts/needs-role.tsx';
import { words } from '../../words/index.ts';
import { bodyOf, NEW_WEBHOOK, type WebhookDraft } from './draft.ts';
import { WebhookForm } from './form.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { HEALTH_STANDING, healthOf, needsAttention, reasonOf } from './state.ts';

/** Webhook endpoints: do they get their events? */
export default function WebhooksPage(): ReactNode {
  const { isAtLeast } = useSession();
  const [isCreating, setCreating] = useState(false);
  const read = useRead(['webhook-endpoints'], () => listWebhookEndpoints());
  if (read.error) return <Failure error={read.error} retry={() => void read.refetch()} />;
  if (read.data === undefined) return <Waiting lines={5} />;
  const { webhooks } = words;
  const all = read.data.data;
  const failing = all.filter(needsAttention).length;
  const isAdmin = isAtLeast('admin');
  return (
    <>
      <PageHead
        {...(all.length > 0 && {
          standing: failing === 0 ? ('online' as const) : ('degraded' as const),
        })}
        title={
          all.length === 0
            ? webhooks.none
            : failing === 0
              ? webhooks.well(all.length)
              : webhooks.fail(failing, all.length)
        }
        tabTitle={webhooks.title}
        text={webhooks.headText}
        actions={
          isAdmin && (
            <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
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
              <Entry key={endpoint.id} endpoint={endpoint} />
            ))}
          </ul>
        )}
      </Card>
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function Entry({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { webhooks, channels } = words;
  const { id, name, url_host: host, severities, last_delivered_at: last } = endpoint;
  const health = healthOf(endpoint);
  const facts = [
    host,
    severities.length === 3 ? channels.facts.all : channels.facts.only(severityText(severities)),
  ];
  return (
    <li className="entry">
      <StatusShape standing={HEALTH_STANDING[health]} isDecoration />
      <div>
        <p className="name">
          <Link href={`/webhooks/${id}`} className="clip" title={name}>
            {name}
          </Link>
        </p>
        <p className="sub">{facts.join(' · ')}</p>
        {needsAttention(endpoint) && <p className="sub down">{reasonOf(endpoint)}</p>}
      </div>
      <p className="at">
        {health === 'off' && webhooks.off}
        {health === 'deactivated' && <span className="down">{webhooks.deactivated}</span>}
        {health === 'failing' && (
          <span className="down">
            {webhooks.failingSince} <RelativeTime time={endpoint.failing_since!} />
          </span>
        )}
        {health === 'untried' && webhooks.never}
        {health === 'works' && (
          <>
            {webhooks.last} <RelativeTime time={last!} />
          </>
        )}
      </p>
    </li>
  );
}

/** Creates an endpoint, then a secret for it, which is shown once. */
function CreateDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [, navigate] = useLocation();
  const [isSigned, setSigned] = useState(true);
  const [made, setMade] = useState<WebhookEndpoint | null>(null);
  const [secret, setSecret] = useState<WebhookSecret | null>(null);
  const { webhooks } = words;
  const finish = (endpoint: WebhookEndpoint) => {
    onClose();
    navigate(`/webhooks/${endpoint.id}`);
    say(webhooks.created(endpoint.name));
    void queries.invalidateQueries({ queryKey: ['webhook-endpoints'] });
  };
  const create = async (draft: WebhookDraft) => {
    // A second attempt after a failed secret does not create a second endpoint.
    const body = { url: '', ...bodyOf(draft) };
    const endpoint = made ?? (await ask(createWebhookEndpoint({ body })));
    if (!isSigned) return finish(endpoint);
    setMade(endpoint);
    setSecret(await ask(rotateWebhookSecret({ path: { id: endpoint.id }, body: {} })));
  };
  if (secret !== null && made !== null)
    return <SecretDialog secret={secret} onClose={() => finish(made)} />;
  return (
    <Dialog title={webhooks.new} size="large" onClose={onClose}>
      <WebhookForm
        initial={NEW_WEBHOOK}
        storedHost={null}
        submit={webhooks.create}
        onSubmit={create}
        onCancel={onClose}
      >
        <Tick
          name="signing_secret"
          label={webhooks.signed}
          hint={webhooks.signedHint}
          checked={isSigned}
          onChange={setSigned}
        />
      </WebhookForm>
    </Dialog>
  );
}
