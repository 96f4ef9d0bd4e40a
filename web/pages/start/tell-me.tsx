import type { ReactNode } from 'react';
import { useChange, useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { listNotificationChannels, updateNotificationChannel } from '../../client/sdk.gen.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { Tick } from '../../parts/form.tsx';
import { say, sayError } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';

/** Turns the person's e-mail on; says what is missing where no mail can be sent. */
export function TellMe(): ReactNode {
  const { user } = useSession();
  const { start } = words;
  const channels = useRead(['account', 'notification-channels'], () => listNotificationChannels());
  const email = channels.data?.data.find(({ id }) => id === 'email');
  const turn = useChange(
    (enabled: boolean) =>
      updateNotificationChannel({ path: { channel: 'email' }, body: { enabled } }),
    ['account'],
  );
  return (
    <section className="card st-card">
      <div>
        <h2>{start.tellTitle}</h2>
        {email !== undefined && !email.available && (
          <p className="dim">{email.verified === false ? start.notConfirmed : start.noMail}</p>
        )}
        {email?.available === true && (
          <Tick
            name="enabled"
            label={start.mailTo(email.email ?? user.email)}
            hint={start.mailHint}
            checked={email.enabled}
            disabled={turn.isPending}
            onChange={(isOn) =>
              turn.mutate(isOn, {
                onError: sayError,
                onSuccess: () => say(isOn ? start.mailOn : start.mailOff),
              })
            }
          />
        )}
      </div>
      <ButtonLink href="/channels">{start.otherChannels}</ButtonLink>
    </section>
  );
}
