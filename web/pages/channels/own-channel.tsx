import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { deleteShown, reread, useRead } from '../../app/api.ts';
import { ApiError, call, type NotificationChannel } from '../../app/client.ts';
import { BASE } from '../../app/place.ts';
import { Button } from '../../parts/button.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { Card, isLoaded, Loading, PageHead } from '../../parts/page.tsx';
import { attempt, showToast, useAct } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { bodyOf, draftOf, NEW_CHANNEL, type ChannelDraft } from './draft.ts';
import { ChannelForm, TestCard } from './form.tsx';
import { HEALTH_STATUS, healthOf, healthSentence, reasonOf, typeWords } from './state.ts';

type OwnType = NotificationChannel['id'];

const rereadChannels = () => reread('notification-channels');

/** A channel of the person, set up or not. `id` is its type. */
export function OwnChannel({ id }: { id: string }) {
  const channel = id as OwnType;
  const read = useRead('getNotificationChannel', { path: { channel } });
  if (!isLoaded(read)) return <Loading reads={[read]} lines={6} />;
  return <Own channel={read.data} />;
}

function Own({ channel }: { channel: NotificationChannel }) {
  const { id, type, fields, configured } = channel;
  const isPush = type === 'web_push';
  // The browser makes the settings of push itself.
  const shown = isPush ? [] : fields;
  const initial = useMemo(
    () => (configured ? draftOf(channel) : NEW_CHANNEL),
    [channel, configured],
  );
  const save = async (draft: ChannelDraft) => {
    const body = bodyOf(draft, shown, false);
    const saved = await call('updateNotificationChannel', { path: { channel: id }, body });
    await rereadChannels();
    showToast(
      (configured || !saved.available ? words.dialog.saved : words.channels.created)(saved.name),
    );
  };
  return (
    <>
      <Head channel={channel} />
      <div className={configured ? 'cols2' : ''}>
        <div className="stack">
          {isPush && <PushCard channel={channel} onChange={rereadChannels} />}
          {(configured || !isPush) && (
            <Card className={configured ? '' : 'narrow'}>
              <ChannelForm
                key={String(configured)}
                type={type}
                fields={shown}
                initial={initial}
                isOfTeam={false}
                submit={configured ? words.common.save : words.channels.create}
                onSubmit={save}
              />
            </Card>
          )}
        </div>
        {configured && (
          <TestCard run={() => call('testNotificationChannel', { path: { channel: id } })} />
        )}
      </div>
    </>
  );
}

function Head({ channel }: { channel: NotificationChannel }) {
  const [, navigate] = useLocation();
  const { id, enabled, configured, type } = channel;
  const { title, text } = typeWords(type);
  const name = channel.name || title;
  const turn = () =>
    attempt(async () => {
      await call('updateNotificationChannel', {
        path: { channel: id },
        body: { enabled: !enabled },
      });
      await rereadChannels();
      return (enabled ? words.channels.turnedOff : words.channels.turnedOn)(name);
    });
  const remove = () =>
    confirm({
      title: words.dialog.deleteTitle(name),
      text: words.channels.deleteOwnText,
      action: words.common.delete,
      onConfirm: async () => {
        await deleteShown(['notification-channels', id], () =>
          call('deleteNotificationChannel', { path: { channel: id } }),
        );
        if (type === 'web_push') await unsubscribe();
        navigate('/channels');
        showToast(words.dialog.deleted(name));
        await rereadChannels();
      },
    });
  const about = type === 'email' ? (channel.email ?? words.channels.ownMailText) : text;
  return (
    <PageHead
      crumbs={[{ text: words.nav.channels, href: '/channels' }, { text: name }]}
      displayStatus={HEALTH_STATUS[healthOf(channel)]}
      title={healthSentence(channel)}
      tabTitle={name}
      text={(enabled || !configured ? reasonOf(channel) : null) ?? about}
      actions={
        configured && (
          <>
            <Button onClick={() => void turn()}>
              {enabled ? words.channels.turnOff : words.channels.turnOn}
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

/** Push messages in this browser: on, on elsewhere, or off. */
function PushCard(props: { channel: NotificationChannel; onChange: () => Promise<unknown> }) {
  const { channel, onChange } = props;
  const { push } = words.channels;
  const [here, setHere] = useState<PushSettings | null>(null);
  useEffect(() => {
    void currentPush().then(setHere, () => setHere(null));
  }, []);
  const isOn = channel.configured && channel.enabled;
  const isHere = isOn && here !== null && here.p256dh === channel.settings?.['p256dh'];
  const turnOn = useAct(async () => {
    const settings = await subscribe(channel.public_key ?? '');
    setHere(settings);
    const body = { enabled: true, settings: { ...settings } };
    await call('updateNotificationChannel', { path: { channel: 'web_push' }, body });
    await onChange();
    return push.done;
  });
  return (
    <Card title={words.channelTypes.web_push.title}>
      <div className="inset sm gap start">
        <output className="dim">
          {!canPush() ? push.unsupported : isHere ? push.here : isOn ? push.elsewhere : push.off}
        </output>
        {canPush() && !isHere && (
          <Button
            icon="channels"
            look="primary"
            isDisabled={turnOn.isBusy}
            onClick={() => void turnOn.run()}
          >
            {push.turnOn}
          </Button>
        )}
      </div>
    </Card>
  );
}

/** Settings of the API's channel `web_push`. */
interface PushSettings {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** True when the browser supports push, which requires TLS or localhost. */
function canPush(): boolean {
  return (
    'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
  );
}

/** Current subscription of this browser; null without one. */
async function currentPush(): Promise<PushSettings | null> {
  if (!canPush()) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  return subscription ? settingsOf(subscription.toJSON()) : null;
}

/**
 * Requests permission for notifications and subscribes. Throws an ApiError when it is denied.
 *
 * @param publicKey of the installation, in base64url
 */
async function subscribe(publicKey: string): Promise<PushSettings> {
  const { push } = words.channels;
  if ((await Notification.requestPermission()) !== 'granted')
    throw new ApiError(0, { message: push.blocked });
  await navigator.serviceWorker.register(`${BASE}/service-worker.js`);
  const { pushManager } = await navigator.serviceWorker.ready;
  // A subscription with another key can't be reused.
  await (await pushManager.getSubscription())?.unsubscribe();
  try {
    const applicationServerKey = bytesOf(publicKey);
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
    return settingsOf(made.toJSON());
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    throw new ApiError(0, { message: push.failed(error.message) });
  }
}

/** Cancels the subscription of this browser. */
async function unsubscribe(): Promise<void> {
  if (!canPush()) return;
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

function settingsOf({ endpoint, keys }: PushSubscriptionJSON): PushSettings {
  const { p256dh, auth } = keys ?? {};
  if (!endpoint || !p256dh || !auth) throw new ApiError(0, { message: words.channels.push.noKeys });
  return { endpoint, p256dh, auth };
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
