import { useLocation, useParams, useSearchParams } from 'wouter';
import { reread, useRead } from '../../app/api.ts';
import { call, type WebhookEndpoint } from '../../app/client.ts';
import { collection } from '../../app/collection.ts';
import { useSession } from '../../app/session.ts';
import { WEBHOOK_ENDPOINT } from '../../app/fields.gen.ts';
import { Button } from '../../parts/button.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { Form, useForm } from '../../parts/form.tsx';
import { KeptGate, KeptMark } from '../../parts/kept.tsx';
import { Card, isLoaded, Loading, PageHead } from '../../parts/page.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { DayTime } from '../../parts/time.tsx';
import { attempt } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { Deliveries } from './deliveries.tsx';
import { bodyOf, draftOf, HEALTH_STATUS, healthOf, healthSentence, reasonOf } from './endpoint.ts';
import { showSecret, WebhookFields } from './form.tsx';

const webhookCollection = collection('WebhookEndpoint', {
  texts: () => words.webhooks,
});

/** A webhook endpoint: does it get its events, and what came of each? */
export default function WebhookPage() {
  const id = Number(useParams().id);
  const isAdmin = useSession().isAtLeast('admin');
  const [search, setSearch] = useSearchParams();
  const tab = isAdmin && search.get('tab') === 'settings' ? 'settings' : '';
  const read = useRead('getWebhookEndpoint', { path: { id } });
  if (!isLoaded(read)) return <Loading reads={[read]} lines={6} />;
  const endpoint = read.data;
  return (
    <>
      <Head endpoint={endpoint} isAdmin={isAdmin} />
      {isAdmin && (
        <div className="below">
          <Segmented
            label={endpoint.name}
            choices={[
              { value: '', text: words.webhooks.deliveries },
              { value: 'settings', text: words.nav.settings },
            ]}
            value={tab}
            onChange={(next) => setSearch(next === '' ? {} : { tab: next }, { replace: true })}
          />
        </div>
      )}
      <div className="stack">
        {tab === '' ? (
          <Deliveries id={id} isAdmin={isAdmin} isActive={endpoint.is_active} />
        ) : (
          <div className="cols2">
            <Card>
              <KeptGate section="webhook_endpoints" id={id}>
                <Settings key={endpoint.updated_at} endpoint={endpoint} />
              </KeptGate>
            </Card>
            <SecretCard endpoint={endpoint} />
          </div>
        )}
      </div>
    </>
  );
}

function Settings({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { draft, form } = useForm(WEBHOOK_ENDPOINT, () => draftOf(endpoint));
  return (
    <Form
      {...form}
      submit={words.common.save}
      onSubmit={() => webhookCollection.save(endpoint.id, bodyOf(draft))}
    >
      <fieldset className="fieldset">
        <legend>{words.nav.settings}</legend>
        <WebhookFields stored={endpoint} auth={draft.auth_type} />
      </fieldset>
    </Form>
  );
}

function Head({ endpoint, isAdmin }: { endpoint: WebhookEndpoint; isAdmin: boolean }) {
  const [, navigate] = useLocation();
  const { webhooks } = words;
  const { id, name, is_active: isActive, url_host: host } = endpoint;
  const turn = () =>
    webhookCollection.change(
      id,
      { is_active: !isActive },
      (isActive ? webhooks.turnedOff : webhooks.turnedOn)(name),
    );
  const test = () =>
    attempt(async () => {
      const { message } = await call('testWebhookEndpoint', { path: { id } });
      void reread('webhook-endpoints');
      return message;
    });
  return (
    <PageHead
      crumbs={[{ text: words.nav.webhooks, href: '/webhooks' }, { text: name }]}
      displayStatus={HEALTH_STATUS[healthOf(endpoint)]}
      title={healthSentence(endpoint)}
      tabTitle={name}
      mark={<KeptMark section="webhook_endpoints" id={id} />}
      text={reasonOf(endpoint) ?? host}
      actions={
        isAdmin && (
          <>
            <Button icon="play" onClick={() => void test()}>
              {words.channels.test}
            </Button>
            <Button onClick={() => void turn()}>
              {isActive ? words.channels.turnOff : words.channels.turnOn}
            </Button>
            <Button
              look="danger"
              onClick={() =>
                webhookCollection.askToDelete(endpoint, { leave: () => navigate('/webhooks') })
              }
            >
              {words.common.delete}
            </Button>
          </>
        )
      }
    />
  );
}

/** Whether deliveries are signed, and a button for a new secret. */
function SecretCard({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, has_signing_secret: isSigned, previous_secret_until: until } = endpoint;
  const { webhooks } = words;
  const rotate = () =>
    confirm({
      title: webhooks.rotateTitle,
      text: isSigned ? webhooks.rotateText : webhooks.secretOnce,
      action: webhooks.rotate,
      onConfirm: async () => {
        showSecret(await call('rotateWebhookSecret', { path: { id }, body: {} }));
        await reread('webhook-endpoints');
      },
    });
  return (
    <Card title={webhooks.secretTitle}>
      <div className="inset sm gap start">
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
    </Card>
  );
}
