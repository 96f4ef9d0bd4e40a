import { useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { ask, queries, useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { createAlertChannel, listNotificationChannels } from '../../client/sdk.gen.ts';
import type { AlertChannel, NotificationChannel } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Failure, Waiting } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { say } from '../../parts/toast.tsx';
import { NeedsRole } from '../../parts/needs-role.tsx';
import { words } from '../../words/index.ts';
import { ADDRESSES, bodyOf, NEW_CHANNEL, type ChannelDraft } from './draft.ts';
import { ChannelForm } from './form.tsx';
import { typeWords } from './state.ts';

type TeamType = AlertChannel['type'];

/** New channel of the team: a type, then its settings. */
export default function NewChannelPage(): ReactNode {
  const { isAtLeast, zone } = useSession();
  const [, navigate] = useLocation();
  const [type, setType] = useState<TeamType | null>(null);
  const types = useRead(['account', 'channels'], () => listNotificationChannels());
  const crumbs = [{ text: words.channels.title, href: '/channels' }, { text: words.channels.new }];
  if (types.error) return <Failure error={types.error} retry={() => void types.refetch()} />;
  if (types.data === undefined) return <Waiting lines={5} />;
  if (!isAtLeast('admin')) {
    return (
      <PageHead crumbs={crumbs} title={words.channels.new} text={<NeedsRole least="admin" />} />
    );
  }
  if (type === null) {
    return (
      <>
        <PageHead
          crumbs={crumbs}
          title={words.channels.chooseTitle}
          text={
            <>
              {words.channels.chooseText} {words.channels.chooseProgram}{' '}
              <Link className="link" href="/webhooks">
                {words.nav.webhooks}
              </Link>
            </>
          }
        />
        <TypeCards types={types.data.data} onChoose={setType} />
      </>
    );
  }
  const fields = teamFields(types.data.data, type);
  const create = async (draft: ChannelDraft) => {
    const body = { ...bodyOf(draft, fields, true), type };
    const made = await ask(createAlertChannel({ body }));
    await queries.invalidateQueries({ queryKey: ['alert-channels'] });
    navigate(`/channels/${made.id}`);
    say(words.channels.created(made.name));
  };
  return (
    <>
      <PageHead
        crumbs={crumbs}
        title={`${words.channels.new}: ${typeWords(type).title}`}
        text={mailMissing(types.data.data, type) ?? typeWords(type).text}
      />
      <Card className="narrow">
        <ChannelForm
          type={type}
          fields={fields}
          initial={{ ...NEW_CHANNEL, timezone: zone }}
          isOfTeam
          submit={words.channels.create}
          onSubmit={create}
          onCancel={() => setType(null)}
        />
      </Card>
    </>
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

function TypeCards({
  types,
  onChoose,
}: {
  types: readonly NotificationChannel[];
  onChoose: (type: TeamType) => void;
}): ReactNode {
  return (
    <div className="type-cards flush">
      {types.map(({ type }) =>
        type === 'web_push' ? null : (
          <Button key={type} className="type-card" onClick={() => onChoose(type)}>
            <b className="b">{typeWords(type).title}</b>
            <span>{typeWords(type).text}</span>
          </Button>
        ),
      )}
    </div>
  );
}
