import { useMemo, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { ask, deleteShown, queries, useRead } from '../../app/api.ts';
import {
  deleteNotificationChannel,
  getNotificationChannel,
  testNotificationChannel,
  updateNotificationChannel,
} from '../../client/sdk.gen.ts';
import type { NotificationChannel } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { Failure, Waiting } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { say, sayError } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { bodyOf, draftOf, NEW_CHANNEL, type ChannelDraft } from './draft.ts';
import { ChannelForm } from './form.tsx';
import { PushCard } from './push-card.tsx';
import { unsubscribe } from './push.ts';
import { HEALTH_STANDING, healthOf, healthSentence, reasonOf, typeWords } from './state.ts';
import { TestCard } from './test-card.tsx';

type OwnType = NotificationChannel['id'];

const reread = () => queries.invalidateQueries({ queryKey: ['account', 'channels'] });

/** A channel of the person, set up or not. `id` is its type. */
export function OwnChannel({ id }: { id: string }): ReactNode {
  const channel = id as OwnType;
  const read = useRead(['account', 'channels', id], () =>
    getNotificationChannel({ path: { channel } }),
  );
  if (read.error) return <Failure error={read.error} retry={() => void read.refetch()} />;
  if (read.data === undefined) return <Waiting lines={6} />;
  return <Own channel={read.data} />;
}

function Own({ channel }: { channel: NotificationChannel }): ReactNode {
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
    const saved = await ask(updateNotificationChannel({ path: { channel: id }, body }));
    await reread();
    say(
      (configured || !saved.available ? words.channels.saved : words.channels.created)(saved.name),
    );
  };
  return (
    <>
      <Head channel={channel} />
      <div className={configured ? 'cols2' : ''}>
        <div className="stack">
          {isPush && <PushCard channel={channel} onChange={reread} />}
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
          <TestCard run={() => ask(testNotificationChannel({ path: { channel: id } }))} />
        )}
      </div>
    </>
  );
}

function Head({ channel }: { channel: NotificationChannel }): ReactNode {
  const [, navigate] = useLocation();
  const { id, enabled, configured, type } = channel;
  const { title, text } = typeWords(type);
  const name = channel.name || title;
  const turn = async () => {
    try {
      await ask(updateNotificationChannel({ path: { channel: id }, body: { enabled: !enabled } }));
      await reread();
      say((enabled ? words.channels.turnedOff : words.channels.turnedOn)(name));
    } catch (error) {
      sayError(error);
    }
  };
  const remove = () =>
    confirm({
      title: words.channels.deleteTitle(name),
      text: words.channels.deleteOwnText,
      action: words.common.delete,
      onConfirm: async () => {
        await deleteShown(['account', 'channels', id], () =>
          deleteNotificationChannel({ path: { channel: id } }),
        );
        if (type === 'web_push') await unsubscribe();
        navigate('/channels');
        say(words.channels.deleted(name));
        await queries.invalidateQueries({ queryKey: ['account', 'channels'] });
      },
    });
  const about = type === 'email' ? (channel.email ?? words.channels.ownMailText) : text;
  return (
    <PageHead
      crumbs={[{ text: words.channels.title, href: '/channels' }, { text: name }]}
      standing={HEALTH_STANDING[healthOf(channel)]}
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
