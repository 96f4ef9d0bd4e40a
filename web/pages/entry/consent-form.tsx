import { useState, type ReactNode } from 'react';
import { ApiError } from '../../app/ask.ts';
import { useSubmitGuard } from '../../app/submit-guard.ts';
import { destinationOf, type Permission } from '../../lib/applications.ts';
import { Button } from '../../parts/button.tsx';
import { Choose, Form, useFieldErrors } from '../../parts/form.tsx';
import { words } from '../../words/index.ts';
import { choicesOf, firstTeam, noteOf, type Choice, type ConsentRequest } from './consent.ts';
import { Notice } from './frame.tsx';

/** Answer of the person. */
export interface Decision {
  accept: boolean;
  team_id?: number;
  permissions?: readonly Permission[];
}

/** Team and permissions of an application, and the two buttons that answer it. */
export function ConsentForm({
  request: { client, scopes, teams },
  email,
  onAnswer,
}: {
  request: ConsentRequest;
  /** Who is signed in. */
  email: string;
  /** Throws an ApiError. */
  onAnswer: (decision: Decision) => Promise<void>;
}): ReactNode {
  const { connect } = words.entry;
  const guard = useSubmitGuard();
  const [teamId, setTeamId] = useState(() => firstTeam(teams)?.id ?? 0);
  const [changes, setChanges] = useState<ReadonlyMap<Permission, boolean>>(new Map());
  const team = teams.find(({ id }) => id === teamId) ?? teams[0]!;
  const choices = choicesOf(scopes, team, changes);
  const note = noteOf(scopes, team);
  const send = async () => {
    if (guard.isHeldNow()) return;
    const chosen = choices.filter(({ isChosen }) => isChosen);
    const permissions = chosen.map(({ permission }) => permission);
    await onAnswer({ accept: true, team_id: team.id, permissions });
  };
  return (
    <>
      <p>
        {connect.asks(
          <strong key="email">{email}</strong>,
          <strong key="to">
            {destinationOf(client.redirect_host, words.account.applications)}
          </strong>,
        )}
      </p>
      <p className="notice">{connect.unverified}</p>
      <Form
        submit={connect.submit}
        onSubmit={send}
        isHeld={guard.isHeld || team.needs_mfa}
        actions={<Cancel onCancel={() => onAnswer({ accept: false })} />}
      >
        <div className="gap">
          {teams.length === 1 ? (
            <p>{connect.inTeam(<strong key="team">{team.name}</strong>)}</p>
          ) : (
            <Choose
              name="team_id"
              label={connect.team}
              value={String(team.id)}
              onChange={(value) => setTeamId(Number(value))}
              options={teams.map(({ id, name, role }) => ({
                value: String(id),
                text: `${name} (${words.roles[role as keyof typeof words.roles] ?? role})`,
              }))}
            />
          )}
          <Choices
            choices={choices}
            onChange={(permission, isChosen) =>
              setChanges(new Map(changes).set(permission, isChosen))
            }
          />
          {note !== null && <Notice>{connect.notes[note]}</Notice>}
          <p className="hint">{connect.never}</p>
        </div>
      </Form>
    </>
  );
}

function Choices({
  choices,
  onChange,
}: {
  choices: readonly Choice[];
  onChange: (permission: Permission, isChosen: boolean) => void;
}): ReactNode {
  const { connect } = words.entry;
  const [error] = useFieldErrors('permissions');
  return (
    <fieldset className="entry-choices">
      <legend>{connect.may}</legend>
      {choices.map(({ permission, isChosen, isFixed }) => (
        <label key={permission} className="choice">
          <input
            type="checkbox"
            name="permissions"
            value={permission}
            checked={isChosen}
            disabled={isFixed}
            onChange={(event) => onChange(permission, event.target.checked)}
          />
          <span>{connect.permissions[permission]}</span>
        </label>
      ))}
      {error !== undefined && <p className="error">{error}</p>}
    </fieldset>
  );
}

function Cancel({ onCancel }: { onCancel: () => Promise<void> }): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  const cancel = async () => {
    setBusy(true);
    try {
      await onCancel();
    } catch (error) {
      setMessage(error instanceof ApiError ? error.message : words.errors.broken);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button isBusy={isBusy} onClick={() => void cancel()}>
        {words.common.cancel}
      </Button>
      {message !== null && <Notice tone="bad">{message}</Notice>}
    </>
  );
}
