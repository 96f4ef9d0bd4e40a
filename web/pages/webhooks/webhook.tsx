import { useMemo, useState, type ReactNode } from 'react';
import { useLocation, useParams } from 'wouter';
import { ask, deleteShown, queries, useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import {
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from '../../client/sdk.gen.ts';
import type { WebhookEndpoint, WebhookSecret } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { Failure, Waiting } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { DayTime } from '../../parts/time.tsx';
import { say, sayError } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { Deliveries } from './deliveries.tsx';
import { bodyOf, draftOf, type WebhookDraft } from './draft.ts';
import { WebhookForm } from './form.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { HEALTH_STANDING, healthOf, healthSentence, reasonOf } from './state.ts';

const reread = () => queries.invalidateQueries({ queryKey: ['webhook-endpoints'] });

/** A webhook endpoint: does it get its events, and what came of each? */
export default function WebhookPage(): ReactNode {
  const id = Number(useParams().id);
  const read = useRead(['webhook-endpoints', id], () => getWebhookEndpoint({ path: { id } }));
  if (read.error) return <Failure error={read.error} retry={() => void read.refetch()} />;
  if (read.data === undefined) return <Waiting lines={6} />;
  return <Endpoint endpoint={read.data} />;
}

function Endpoint({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { isAtLeast } = useSession();
  const { id, url_host: host } = endpoint;
  const isAdmin = isAtLeast('admin');
  const initial = useMemo(() => draftOf(endpoint), [endpoint]);
  const save = async (draft: WebhookDraft) => {
    const saved = await ask(updateWebhookEndpoint({ path: { id }, body: bodyOf(draft) }));
    await reread();
    say(words.webhooks.saved(saved.name));
  };
  return (
    <>
      <Head endpoint={endpoint} isAdmin={isAdmin} />
      <div className="stack">
        <Deliveries id={id} isAdmin={isAdmin} isActive={endpoint.is_active} />
        {isAdmin && (
          <div className="cols2">
            <Card>
              <WebhookForm
                key={endpoint.updated_at}
                initial={initial}
                storedHost={host}
                submit={words.common.save}
                onSubmit={save}
              />
            </Card>
            <SecretCard endpoint={endpoint} />
          </div>
        )}
      </div>
    </>
  );
}

/** Does something, says what happened, and reads the endpoint again. */
async function run(work: () => Promise<string>): Promise<void> {
  try {
    say(await work());
    await reread();
  } catch (error) {
    sayError(error);
  }
}

function Head({ endpoint, isAdmin }: { endpoint: WebhookEndpoint; isAdmin: boolean }): ReactNode {
  const [, navigate] = useLocation();
  const { webhooks } = words;
  const { id, name, is_active: isActive, url_host: host } = endpoint;
  const turn = () =>
    run(async () => {
      await ask(updateWebhookEndpoint({ path: { id }, body: { is_active: !isActive } }));
      return (isActive ? webhooks.turnedOff : webhooks.turnedOn)(name);
    });
  const test = () => run(async () => (await ask(testWebhookEndpoint({ path: { id } }))).message);
  const remove = () =>
    confirm({
      title: webhooks.deleteTitle(name),
      text: webhooks.deleteText,
      action: words.common.delete,
      onConfirm: async () => {
        await deleteShown(['webhook-endpoints', id], () => deleteWebhookEndpoint({ path: { id } }));
        navigate('/webhooks');
        say(webhooks.deleted(name));
        await queries.invalidateQueries({ queryKey: ['webhook-endpoints'] });
      },
    });
  return (
    <PageHead
      crumbs={[{ text: webhooks.title, href: '/webhooks' }, { text: name }]}
      standing={HEALTH_STANDING[healthOf(endpoint)]}
      title={healthSentence(endpoint)}
      tabTitle={name}
      text={reasonOf(endpoint) ?? host}
      actions={
        isAdmin && (
          <>
            <Button icon="play" onClick={() => void test()}>
              {webhooks.test}
            </Button>
            <Button onClick={() => void turn()}>
              {isActive ? webhooks.turnOff : webhooks.turnOn}
            </Button>
            <Button look="danger" onClick={remove}>
              {words.common.delete}
            </Button>
          </>
        )
      }
    />
  );
}

/** Whether deliveries are signed, and a button for a new secret. */
function SecretCard({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const [secret, setSecret] = useState<WebhookSecret | null>(null);
  const { id, has_signing_secret: isSigned, previous_secret_until: until } = endpoint;
  const { webhooks } = words;
  const rotate = () =>
    confirm({
      title: webhooks.rotateTitle,
      text: isSigned ? webhooks.rotateText : webhooks.secretOnce,
      action: webhooks.rotate,
      onConfirm: async () => {
        setSecret(await ask(rotateWebhookSecret({ path: { id }, body: {} })));
        await reread();
      },
    });
  return (
    <Card title={webhooks.secretTitle}>
      <div className="test-card">
        <p className="dim">{isSigned ? webhooks.hasSecret : webhooks.noSecret}</p>
        {until !== null && (
          <p className="dim">
            {webhooks.secretUntil} <DayTime time={until} />.
          </p>
        )}
        <Button icon="key" onClick={rotate}>
          {webhooks.rotate}
        </Button>
      </div>
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </Card>
  );
}
