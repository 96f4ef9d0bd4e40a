import { useState, type ReactNode } from 'react';
import { useChange } from '../../app/api.ts';
import { updateStatusPage } from '../../client/sdk.gen.ts';
import type { StatusPage } from '../../client/types.gen.ts';
import { Card } from '../../parts/card.tsx';
import { Form, Input, TextArea } from '../../parts/form.tsx';
import { words } from '../../words/index.ts';

const TYPES = ['public', 'password', 'members', 'addresses'] as const;

/** Who may see a page. */
export function AccessForm({
  page,
  onSaved,
}: {
  page: StatusPage;
  onSaved: () => void;
}): ReactNode {
  const w = words.statusPages;
  const [type, setType] = useState(page.access.type);
  const [password, setPassword] = useState('');
  const [addresses, setAddresses] = useState(page.access.addresses.join('\n'));
  const lines = addresses.split(/[\s,]+/).filter(Boolean);
  const access = {
    type,
    ...(type === 'password' && password !== '' && { password }),
    ...(type === 'addresses' && { addresses: lines }),
  };
  const save = useChange(
    () => updateStatusPage({ path: { id: page.id }, body: { access } }),
    ['status-pages'],
  );
  return (
    <Card>
      <Form
        submit={words.common.save}
        onSubmit={async () => {
          await save.mutateAsync(undefined);
          setPassword('');
          onSaved();
        }}
      >
        <fieldset className="fieldset">
          <legend>{w.visibleTo}</legend>
          {TYPES.map((value) => (
            <label key={value} className="choice">
              <input
                type="radio"
                name="access.type"
                value={value}
                checked={type === value}
                onChange={() => setType(value)}
              />
              <span>
                {w.access[value]}
                <span className="hint">{w.accessHints[value]}</span>
              </span>
            </label>
          ))}
          {type === 'password' && (
            <Input
              name="access.password"
              type="password"
              autoComplete="new-password"
              label={page.access.password_set ? w.newPassword : w.password}
              hint={page.access.password_set ? w.passwordStays : w.passwordHint}
              value={password}
              onChange={setPassword}
            />
          )}
          {type === 'addresses' && (
            <TextArea
              name="access.addresses"
              className="control mono"
              label={w.addresses}
              hint={w.addressesHint}
              rows={5}
              value={addresses}
              onChange={setAddresses}
            />
          )}
          <p className="notice">{w.accessEnds}</p>
        </fieldset>
      </Form>
    </Card>
  );
}
