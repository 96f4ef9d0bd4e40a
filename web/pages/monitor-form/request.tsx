import { Button, IconButton } from '../../parts/button.tsx';
import { Choose, FieldFrame, Input, TextArea, Tick, useFieldErrors } from '../../parts/form.tsx';
import { words } from '../../words/index.ts';
import {
  cardFields,
  isAnySet,
  EMPTY_ASSERTION,
  EMPTY_KEYWORD,
  KEPT,
  withAuth,
  WITH_BODY,
  WITHOUT_VALUE,
  type Draft,
  type Method,
  type Operator,
} from './draft.ts';
import { Advanced, CardFields, Control, type PartProps } from './fields.tsx';
import { useSession } from '../../app/session.ts';

const METHODS: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** What is sent: method, headers, body, sign-in. Folded while it is a plain GET. */
export function Request({ draft, set }: PartProps) {
  const { monitorForm } = words;
  const isSet =
    draft.auth_type !== '' ||
    isAnySet(
      draft,
      'http_method',
      'request_headers',
      'request_timeout',
      ...cardFields('request', draft.type),
    );
  return (
    <Advanced title={monitorForm.request} isSet={isSet}>
      <div className="mf-pair">
        <Choose
          name="http_method"
          value={draft.http_method}
          onChange={(method) => set({ http_method: method as Method })}
          options={METHODS.map((value) => ({ value, text: value }))}
        />
        <Control name="request_timeout" />
      </div>
      {WITH_BODY.includes(draft.http_method) && (
        <TextArea name="request_body" isOptional className="control mono" spellCheck={false} />
      )}
      <Headers draft={draft} set={set} />
      <SignIn draft={draft} set={set} />
      <CardFields card="request" type={draft.type} />
    </Advanced>
  );
}

function Headers({ draft: { request_headers: headers }, set }: PartProps) {
  const { monitorForm } = words;
  const change = (index: number, part: Partial<Draft['request_headers'][number]>) =>
    set({ request_headers: headers.map((one, at) => (at === index ? { ...one, ...part } : one)) });
  return (
    <FieldFrame name="request_headers">
      {({ id }) => (
        <div
          className="mf-list"
          id={id}
          role="group"
          aria-label={monitorForm.fields.request_headers[0]}
        >
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
        value={draft.auth_type}
        onChange={(auth) => set(withAuth(draft, auth as Draft['auth_type']))}
        options={(['', 'basic', 'digest', 'bearer'] as const).map((value) => ({
          value,
          text: monitorForm.auths[value === '' ? 'none' : value],
        }))}
      />
      {draft.auth_type !== '' && (
        <div className={isBearer ? '' : 'mf-pair'}>
          {!isBearer && <Input name="auth_username" spellCheck={false} />}
          <Input
            name="auth_password"
            label={isBearer ? words.terms.token : words.labels.password}
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

const OPERATORS: readonly Operator[] = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'exists',
  'not_exists',
  'gt',
  'gte',
  'lt',
  'lte',
  'regex',
  'not_regex',
];

/** What an answer must contain: nothing, keywords, or values in JSON. */
export function Content({ draft, set }: PartProps) {
  const { plan } = useSession();
  const { monitorForm } = words;
  const choices = (['none', 'keyword', 'json'] as const).filter(
    (one) =>
      one === 'none' ||
      one === draft.content ||
      plan === null ||
      plan.features.check_types.includes(one),
  );
  const choose = (content: Draft['content']) =>
    set({
      content,
      ...(content === 'keyword' && draft.keywords.length === 0 && { keywords: [EMPTY_KEYWORD] }),
      ...(content === 'json' && draft.assertions.length === 0 && { assertions: [EMPTY_ASSERTION] }),
    });
  return (
    <>
      <Choose
        name="content"
        label={monitorForm.content}
        value={draft.content}
        onChange={(value) => choose(value as Draft['content'])}
        options={choices.map((value) => ({ value, text: monitorForm.contents[value] }))}
      />
      {draft.content === 'keyword' && <Keywords draft={draft} set={set} />}
      {draft.content === 'json' && <Assertions draft={draft} set={set} />}
    </>
  );
}

function Keywords({ draft: { keywords, searchTarget }, set }: PartProps) {
  const { monitorForm } = words;
  const change = (index: number, part: Partial<(typeof keywords)[number]>) =>
    set({ keywords: keywords.map((one, at) => (at === index ? { ...one, ...part } : one)) });
  return (
    <FieldFrame name="keyword_settings" label={monitorForm.keywords}>
      {({ id }) => (
        <div className="mf-list" id={id} role="group" aria-label={monitorForm.keywords}>
          {keywords.map(({ phrase, mode, case_sensitive }, index) => (
            <div key={index} className="mf-keyword">
              <select
                className="control"
                name={`keyword_settings.keywords.${index}.mode`}
                aria-label={monitorForm.modeOf(index + 1)}
                value={mode}
                onChange={(event) => change(index, { mode: event.target.value as typeof mode })}
              >
                <option value="must_contain">{monitorForm.mustContain}</option>
                <option value="must_not_contain">{monitorForm.mustNotContain}</option>
              </select>
              <Marked
                name={`keyword_settings.keywords.${index}.phrase`}
                label={monitorForm.phraseOf(index + 1)}
                placeholder={monitorForm.phraseExample}
                value={phrase}
                onChange={(value) => change(index, { phrase: value })}
              />
              <IconButton
                look="ghost"
                icon="cross"
                label={monitorForm.removeLine(index + 1)}
                onClick={() => set({ keywords: keywords.filter((_, at) => at !== index) })}
              />
              <Tick
                name={`keyword_settings.keywords.${index}.case_sensitive`}
                label={monitorForm.caseSensitive}
                checked={case_sensitive}
                onChange={(isOn) => change(index, { case_sensitive: isOn })}
              />
            </div>
          ))}
          <div className="row">
            <Button icon="plus" onClick={() => set({ keywords: [...keywords, EMPTY_KEYWORD] })}>
              {monitorForm.addKeyword}
            </Button>
            <select
              className="control auto"
              name="keyword_settings.search_target"
              aria-label={monitorForm.searchTarget}
              value={searchTarget}
              onChange={(event) =>
                set({ searchTarget: event.target.value as Draft['searchTarget'] })
              }
            >
              <option value="html">{monitorForm.inHtml}</option>
              <option value="text">{monitorForm.inText}</option>
            </select>
          </div>
        </div>
      )}
    </FieldFrame>
  );
}

function Assertions({ draft: { assertions }, set }: PartProps) {
  const { monitorForm } = words;
  const change = (index: number, part: Partial<Draft['assertions'][number]>) =>
    set({ assertions: assertions.map((one, at) => (at === index ? { ...one, ...part } : one)) });
  return (
    <FieldFrame
      name="json_assertion_settings"
      label={monitorForm.assertions}
      hint={monitorForm.assertionsHint}
    >
      {({ id }) => (
        <div className="mf-list" id={id} role="group" aria-label={monitorForm.assertions}>
          {assertions.map(({ path, operator, value }, index) => (
            <div key={index} className="mf-assertion">
              <Marked
                name={`json_assertion_settings.assertions.${index}.path`}
                label={monitorForm.pathOf(index + 1)}
                placeholder="data.status"
                value={path}
                onChange={(text) => change(index, { path: text })}
              />
              <select
                className="control"
                name={`json_assertion_settings.assertions.${index}.operator`}
                aria-label={monitorForm.operatorOf(index + 1)}
                value={operator}
                onChange={(event) => change(index, { operator: event.target.value as Operator })}
              >
                {OPERATORS.map((one) => (
                  <option key={one} value={one}>
                    {monitorForm.operators[one]}
                  </option>
                ))}
              </select>
              {WITHOUT_VALUE.includes(operator) ? (
                <span />
              ) : (
                <Marked
                  name={`json_assertion_settings.assertions.${index}.value`}
                  label={monitorForm.valueOf(index + 1)}
                  placeholder="ok"
                  value={value}
                  onChange={(text) => change(index, { value: text })}
                />
              )}
              <IconButton
                look="ghost"
                icon="cross"
                label={monitorForm.removeLine(index + 1)}
                onClick={() => set({ assertions: assertions.filter((_, at) => at !== index) })}
              />
            </div>
          ))}
          <div>
            <Button
              icon="plus"
              onClick={() => set({ assertions: [...assertions, EMPTY_ASSERTION] })}
            >
              {monitorForm.addAssertion}
            </Button>
          </div>
        </div>
      )}
    </FieldFrame>
  );
}

/** Field without a label of its own that is marked when it is wrong; the message stands below the list. */
function Marked({
  name,
  label,
  value,
  onChange,
  placeholder,
}: {
  name: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder: string;
}) {
  const [error] = useFieldErrors(name);
  return (
    <input
      className="control mono"
      name={name}
      aria-label={label}
      aria-invalid={error === undefined ? undefined : true}
      title={error}
      placeholder={placeholder}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
