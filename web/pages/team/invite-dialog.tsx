import { useState, type ReactNode } from 'react';
import { useChange } from '../../app/api.ts';
import { createInvitation } from '../../client/sdk.gen.ts';
import type { Invitation, SentInvitation } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Choose, Form, Input } from '../../parts/form.tsx';
import { words } from '../../words/index.ts';
import { SentLink } from './sent-link.tsx';

const ROLES = ['admin', 'editor', 'viewer'] as const;

/** Invites a person, then shows the link. */
export function InviteDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { members } = words;
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Invitation['role']>('editor');
  const [sent, setSent] = useState<SentInvitation | null>(null);
  const invite = useChange(
    () => createInvitation({ body: { email: email.trim(), role } }),
    ['members'],
  );
  if (sent !== null) {
    return (
      <Dialog title={members.linkTitle(sent.email)} onClose={onClose}>
        <SentLink sent={sent} />
        <div className="acts">
          <Button onClick={onClose}>{words.common.close}</Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={members.inviteTitle} onClose={onClose}>
      <Form
        submit={members.invite}
        onCancel={onClose}
        onSubmit={async () => setSent(await invite.mutateAsync(undefined))}
      >
        <div className="gap dialog-fields">
          <Input
            name="email"
            label={members.email}
            type="email"
            value={email}
            onChange={setEmail}
          />
          <Choose
            name="role"
            label={members.role}
            hint={members.roleHints[role]}
            value={role}
            onChange={(next) => setRole(ROLES.find((one) => one === next) ?? 'viewer')}
            options={ROLES.map((value) => ({ value, text: words.roles[value] }))}
          />
        </div>
      </Form>
    </Dialog>
  );
}
