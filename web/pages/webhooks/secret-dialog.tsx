import type { ReactNode } from 'react';
import type { WebhookSecret } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';

/** Signing secret, shown once. */
export function SecretDialog({
  secret: { signing_secret: secret, previous_valid_until: until },
  onClose,
}: {
  secret: WebhookSecret;
  onClose: () => void;
}): ReactNode {
  const { webhooks } = words;
  return (
    <Dialog title={webhooks.secretTitle} onClose={onClose}>
      <p className="dim">{webhooks.secretOnce}</p>
      <Copyable text={secret} label={webhooks.secretTitle} />
      {until !== null && (
        <p className="dim">
          {webhooks.secretUntil} <DayTime time={until} />.
        </p>
      )}
      <div className="acts">
        <Button look="primary" onClick={onClose}>
          {webhooks.secretDone}
        </Button>
      </div>
    </Dialog>
  );
}
