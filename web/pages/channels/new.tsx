import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useRead } from '../../app/api.ts';
import { call, type AlertChannel, type NotificationChannel } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { goToStep, isLoaded, Loading, PageHead } from '../../parts/page.tsx';
import { NewPage } from '../../parts/sections.tsx';
import { words } from '../../words/index.ts';
import { ADDRESSES, bodyOf, NEW_CHANNEL, type ChannelDraft } from './draft.ts';
import { channelCollection, ChannelForm } from './form.tsx';
import { groupOf, TypeCard } from './service-marks.tsx';
import { typeWords } from './state.ts';

type TeamType = AlertChannel['type'];

/** New channel of the team: a type, then its settings. */
export default function NewChannelPage() {
  const { isAtLeast, zone } = useSession();
  const [, navigate] = useLocation();
  const [type, setType] = useState<TeamType | null>(null);
  const choose = (chosen: TeamType | null) => goToStep(() => setType(chosen));
  const types = useRead('listNotificationChannels');
  const { channels } = words;
  const crumbs = [{ text: words.nav.channels, href: '/channels' }, { text: channels.new }];
  if (!isLoaded(types)) return <Loading reads={[types]} lines={5} />;
  if (type === null && isAtLeast('admin')) {
    return (
      <>
        <PageHead
          crumbs={crumbs}
          title={channels.chooseTitle}
          text={
            <>
              {channels.chooseText} {channels.chooseProgram}{' '}
              <Link className="link" href="/webhooks">
                {words.nav.webhooks}
              </Link>
            </>
          }
        />
        <TypeCards types={types.data.data} onChoose={choose} />
      </>
    );
  }
  if (type === null) return <NewPage title={channels.new} crumbs={crumbs} least="admin" />;
  const fields = teamFields(types.data.data, type);
  const create = async (draft: ChannelDraft) => {
    const { id } = await channelCollection.save(null, { ...bodyOf(draft, fields, true), type });
    navigate(`/channels/${id}`);
  };
  return (
    <NewPage
      least="admin"
      crumbs={crumbs}
      title={`${channels.new}: ${typeWords(type).title}`}
      text={mailMissing(types.data.data, type) ?? typeWords(type).text}
    >
      <ChannelForm
        type={type}
        fields={fields}
        initial={{ ...NEW_CHANNEL, timezone: zone }}
        isOfTeam
        onTry={(draft) =>
          call('tryAlertChannel', { body: { ...bodyOf(draft, fields, true), type } })
        }
        submit={channels.create}
        onSubmit={create}
        onCancel={() => choose(null)}
      />
    </NewPage>
  );
}

/** What to do first where the installation sends no mail; null where it does, or for another type. */
function mailMissing(types: readonly NotificationChannel[], type: TeamType): string | null {
  const mail = type === 'email' ? types.find((one) => one.type === 'email') : undefined;
  return mail?.available === false && mail.verified !== false ? words.channels.noMail : null;
}

/** Settings of a type for the team. A person's e-mail channel has none, that of the team has addresses. */
export function teamFields(types: readonly NotificationChannel[], type: string) {
  if (type === 'email') return [ADDRESSES];
  return types.find((one) => one.type === type)?.fields ?? [];
}

function TypeCards(props: {
  types: readonly NotificationChannel[];
  onChoose: (type: TeamType) => void;
}) {
  const { types, onChoose } = props;
  const groups = Map.groupBy(
    types.map(({ type }) => type).filter((type) => type !== 'web_push'),
    groupOf,
  );
  return [...groups].map(([group, ofGroup]) => (
    <section key={group} className="type-group">
      <h2>{words.channels.groups[group]}</h2>
      <div className="type-cards">
        {ofGroup.map((type) => (
          <Button key={type} className="type-card" onClick={() => onChoose(type)}>
            <TypeCard type={type} />
          </Button>
        ))}
      </div>
    </section>
  ));
}
