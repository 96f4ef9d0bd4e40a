import { useEffect, useState, type ReactNode } from 'react';
import { ask } from '../../app/api.ts';
import { updateNotificationChannel } from '../../client/sdk.gen.ts';
import type { NotificationChannel } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { say, sayError } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { canPush, currentPush, subscribe, type PushSettings } from './push.ts';

/** Push messages in this browser: on, on elsewhere, or off. */
export function PushCard({
  channel,
  onChange,
}: {
  channel: NotificationChannel;
  onChange: () => Promise<unknown>;
}): ReactNode {
  const { push, types } = words.channels;
  const [here, setHere] = useState<PushSettings | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    void currentPush().then(setHere, () => setHere(null));
  }, []);
  const isOn = channel.configured && channel.enabled;
  const isHere = isOn && here !== null && here.p256dh === channel.settings?.['p256dh'];
  const turnOn = async () => {
    setBusy(true);
    try {
      const settings = await subscribe(channel.public_key ?? '');
      setHere(settings);
      const body = { enabled: true, settings: { ...settings } };
      await ask(updateNotificationChannel({ path: { channel: 'web_push' }, body }));
      await onChange();
      say(push.done);
    } catch (error) {
      sayError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card title={types.web_push.title}>
      <div className="test-card">
        <output className="dim">
          {!canPush() ? push.unsupported : isHere ? push.here : isOn ? push.elsewhere : push.off}
        </output>
        {canPush() && !isHere && (
          <Button icon="channels" look="primary" isBusy={isBusy} onClick={() => void turnOn()}>
            {push.turnOn}
          </Button>
        )}
      </div>
    </Card>
  );
}
