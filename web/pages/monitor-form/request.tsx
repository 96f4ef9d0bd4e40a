import { Button, IconButton } from '../../parts/button.tsx';
import { Choose, FieldFrame, Input, TextArea, Tick, useFieldErrors } from '../../parts/form.tsx';
import { words } from '../../words/index.ts';
import { KEPT, withAuth, type Draft, type Method } from './draft.ts';
import { Advanced, NumberInput, type PartProps } from './fields.tsx';

const METHODS: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const WITH_BODY: readonly Method[] = ['POST', 'PUT', 'PATCH'];

/** What is sent: method, headers, body, sign-in. Folded while it is a plain GET. */
export function Request({ draft, set }: PartProps) {
  const { monitorForm } = words;
  const isSet =
    draft.http_method !== 'GET' ||
    draft.request_headers.length > 0 ||
    draft.auth_type !== '' ||
    !draft.follow_redirects ||
    draft.request_timeout !== '30';
  return (
    <Advanced title={monitorForm.request} isSet={isSet}>
      <div className="mf-pair">
        <Choose
          name="http_method"
          label={monitorForm.method}
          value={draft.http_method}
          onChange={(method) => set({ http_method: method as Method })}
          options={METHODS.map((value) => ({ value, text: value }))}
        />
        <NumberInput name="request_timeout" label={monitorForm.timeout} unit={words.time.units.s} />
      </div>
      {WITH_BODY.includes(draft.http_method) && (
        <TextArea
          name="request_body"
          label={monitorForm.body}
          isOptional
          className="control mono"
          spellCheck={false}
        />
      )}
      <Headers draft={draft} set={set} />
      <SignIn draft={draft} set={set} />
      <Tick
        name="follow_redirects"
        label={monitorForm.followRedirects}
        hint={monitorForm.followRedirectsHint}
      />
    </Advanced>
  );
}

function Headers({ draft: { request_headers: headers }, set }: PartProps) {
  const { monitorForm } = words;
  const change = (index: number, part: Partial<Draft['request_headers'][number]>) =>
    set({ request_headers: headers.map((one, at) => (at === index ? { ...one, ...part } : one)) });
  return (
    <FieldFrame name="request_headers" label={monitorForm.headers}>
      {({ id }) => (
        <div className="mf-list" id={id} role="group" aria-label={monitorForm.headers}>
          {headers.map(({ name, value }, index) => (
            <div key={index} className="mf-header">
              <input
                className="control mono"
                name="request_headers"
                aria-label={monitorForm.headerName(index + 1)}
                placeholder="Accept"
                autoComplete="off"
                spellCheck={false}
                value={name}
                onChange={(event) => change(index, { name: event.target.value })}
              />
              <input
                className="control mono"
                name="request_headers"
                aria-label={monitorForm.headerValue(index + 1)}
                placeholder="application/json"
                autoComplete="off"
                spellCheck={false}
                value={value}
                onChange={(event) => change(index, { value: event.target.value })}
              />
              <IconButton
                look="ghost"
                icon="cross"
                label={monitorForm.removeHeader(index + 1)}
                onClick={() => set({ request_headers: headers.filter((_, at) => at !== index) })}
              />
            </div>
          ))}
          <Button
            icon="plus"
            onClick={() => set({ request_headers: [...headers, { name: '', value: '' }] })}
          >
            {monitorForm.addHeader}
          </Button>
        </div>
      )}
    </FieldFrame>
  );
}

/** User name and password, or a token. A stored password stays unless another one is typed. */
function SignIn({ draft, set }: PartProps) {
  const { monitorForm } = words;
  const [passwordError] = useFieldErrors('auth_password');
  const isBearer = draft.auth_type === 'bearer';
  return (
    <>
      <Choose
        name="auth_type"
        label={monitorForm.auth}
        value={draft.auth_type}
        onChange={(auth) => set(withAuth(draft, auth as Draft['auth_type']))}
        options={(['', 'basic', 'digest', 'bearer'] as const).map((value) => ({
          value,
          text: monitorForm.auths[value === '' ? 'none' : value],
        }))}
      />
      {draft.auth_type !== '' && (
        <div className={isBearer ? '' : 'mf-pair'}>
          {!isBearer && (
            <Input name="auth_username" label={monitorForm.username} spellCheck={false} />
          )}
          <Input
            name="auth_password"
            label={isBearer ? monitorForm.token : words.labels.password}
            type="password"
            autoComplete="new-password"
            hint={
              draft.auth_password === KEPT && passwordError === undefined
                ? monitorForm.passwordKept
                : undefined
            }
            onFocus={({ currentTarget }) => draft.auth_password === KEPT && currentTarget.select()}
          />
        </div>
      )}
    </>
  );
}
