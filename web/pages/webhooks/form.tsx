import { useState, type ReactNode } from 'react';
import { Choose, Form, Input } from '../../parts/form.tsx';
import { SeveritiesField } from '../../parts/severities.tsx';
import { words } from '../../words/index.ts';
import type { WebhookDraft } from './draft.ts';

/** Form of a webhook endpoint. `storedHost` is the host of the stored address; null for a new endpoint. */
export function WebhookForm({
  initial,
  storedHost,
  submit,
  onSubmit,
  onCancel,
  children,
}: {
  initial: WebhookDraft;
  storedHost: string | null;
  submit: string;
  onSubmit: (draft: WebhookDraft) => Promise<unknown>;
  onCancel?: () => void;
  /** Further fields, below the others. */
  children?: ReactNode;
}): ReactNode {
  const [draft, setDraft] = useState(initial);
  const set = (change: Partial<WebhookDraft>) => setDraft((former) => ({ ...former, ...change }));
  const { webhooks } = words;
  const { auth_type: auth } = draft;
  return (
    <Form submit={submit} onSubmit={() => onSubmit(draft)} {...(onCancel && { onCancel })}>
      <fieldset className="fieldset">
        {storedHost !== null && <legend>{words.nav.settings}</legend>}
        <Input
          name="name"
          label={webhooks.name}
          maxLength={100}
          value={draft.name}
          onChange={(name) => set({ name })}
        />
        <Input
          name="url"
          inputMode="url"
          label={webhooks.url}
          hint={storedHost === null ? webhooks.urlHint : webhooks.urlKept(storedHost)}
          placeholder={`https://${storedHost ?? 'example.com'}/…`}
          value={draft.url}
          onChange={(url) => set({ url })}
        />
        <Choose
          name="auth_type"
          label={webhooks.auth}
          value={auth}
          options={Object.entries(webhooks.auths).map(([value, text]) => ({ value, text }))}
          onChange={(value) => set({ auth_type: value as WebhookDraft['auth_type'] })}
        />
        {auth === 'header' && (
          <Input
            name="auth_header_name"
            label={webhooks.header}
            placeholder="X-Api-Key"
            value={draft.auth_header_name}
            onChange={(auth_header_name) => set({ auth_header_name })}
          />
        )}
        {auth !== 'none' && (
          <Input
            name="auth_token"
            type="password"
            autoComplete="new-password"
            label={webhooks.token[auth]}
            hint={
              storedHost !== null && initial.auth_type !== 'none' ? webhooks.tokenKept : undefined
            }
            value={draft.auth_token}
            onChange={(auth_token) => set({ auth_token })}
          />
        )}
        <SeveritiesField
          legend={webhooks.severities}
          value={draft.severities}
          onChange={(severities) => set({ severities })}
        />
        {children}
      </fieldset>
    </Form>
  );
}
