import type { WebhookEndpoint, WebhookSecret } from '../../app/api.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { Dialog, openDialog } from '../../parts/dialog.tsx';
import { Choose, Input } from '../../parts/form.tsx';
import { SeveritiesField } from '../../parts/severities.tsx';
import { DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';

/** Controls of a webhook endpoint. `stored` is null for a new one. */
export function WebhookFields(props: {
  stored: WebhookEndpoint | null;
  /** How the draft authenticates. */
  auth: WebhookEndpoint['auth_type'];
}) {
  const { stored, auth } = props;
  const { webhooks } = words;
  const host = stored?.url_host ?? null;
  const hasToken = stored !== null && stored.auth_type !== 'none';
  return (
    <>
      <Input name="name" label={words.labels.name} />
      <Input
        name="url"
        inputMode="url"
        label={words.labels.address}
        hint={host === null ? webhooks.urlHint : webhooks.urlKept(host)}
        placeholder={`https://${host ?? 'example.com'}/…`}
      />
      <Choose name="auth_type" label={webhooks.auth} texts={webhooks.auths} />
      {auth === 'header' && (
        <Input name="auth_header_name" label={webhooks.header} placeholder="X-Api-Key" />
      )}
      {auth !== 'none' && (
        <Input
          name="auth_token"
          type="password"
          autoComplete="new-password"
          label={webhooks.token[auth]}
          hint={hasToken ? webhooks.tokenKept : undefined}
        />
      )}
      <SeveritiesField legend={webhooks.severities} />
    </>
  );
}

/** Shows a signing secret once. @param next what follows it. */
export function showSecret(secret: WebhookSecret, next?: () => void): void {
  openDialog((onClose) => (
    <SecretDialog
      secret={secret}
      onClose={() => {
        onClose();
        next?.();
      }}
    />
  ));
}

function SecretDialog(props: { secret: WebhookSecret; onClose: () => void }) {
  const {
    secret: { signing_secret: secret, previous_valid_until: until },
    onClose,
  } = props;
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
          {words.terms.haveCopied}
        </Button>
      </div>
    </Dialog>
  );
}
