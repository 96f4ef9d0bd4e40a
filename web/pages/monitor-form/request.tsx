import type { ReactNode } from 'react';
import { Button, IconButton } from '../../parts/button.tsx';
import {
  Choose,
  FieldFrame,
  Input,
  Select,
  TextArea,
  Tick,
  useFieldErrors,
} from '../../parts/form.tsx';
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

const { monitorForm } = words;

const METHODS: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** What is sent: method, headers, body, sign-in. Folded while it is a plain GET. */
export function Request({ draft, set }: PartProps) {
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
      <div className="two">
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
  return (
    <Lines
      name="request_headers"
      of={monitorForm.fields.request_headers[0]!}
      look="mf-header"
      lines={headers}
      empty={{ name: '', value: '' }}
      onChange={(request_headers) => set({ request_headers })}
      add={monitorForm.addHeader}
      remove={monitorForm.removeHeader}
      render={({ name, value }, index, change) => (
        <>
          <Marked
            name="request_headers"
            label={monitorForm.headerName(index + 1)}
            placeholder="Accept"
            value={name}
            onChange={(text) => change({ name: text })}
          />
          <Marked
            name="request_headers"
            label={monitorForm.headerValue(index + 1)}
            placeholder="application/json"
            value={value}
            onChange={(text) => change({ value: text })}
          />
        </>
      )}
    />
  );
}

type RenderLine<Line> = (
  line: Line,
  index: number,
  change: (part: Partial<Line>) => void,
) => ReactNode;

/** Lines with the same fields, which are added, changed and removed; the message of a wrong one stands below them. */
function Lines<Line extends object>(props: {
  name: string;
  label?: string;
  hint?: string;
  /** What they are, for screen readers. */
  of: string;
  look: string;
  lines: readonly Line[];
  empty: Line;
  onChange: (lines: Line[]) => void;
  add: string;
  remove: (line: number) => string;
  render: RenderLine<Line>;
  /** Below the fields of a line. */
  renderBelow?: RenderLine<Line>;
  beside?: ReactNode;
}) {
  const { lines, empty, onChange, render, renderBelow } = props;
  return (
    <FieldFrame name={props.name} label={props.label} hint={props.hint}>
      {({ id }) => (
        <div className="gap start mf-list" id={id} role="group" aria-label={props.of}>
          {lines.map((line, index) => {
            const change = (part: Partial<Line>) =>
              onChange(lines.map((one, at) => (at === index ? { ...one, ...part } : one)));
            return (
              <div key={index} className={props.look}>
                {render(line, index, change)}
                <IconButton
                  icon="cross"
                  label={props.remove(index + 1)}
                  onClick={() => onChange(lines.filter((_, at) => at !== index))}
                />
                {renderBelow?.(line, index, change)}
              </div>
            );
          })}
          <div className="row">
            <Button icon="plus" onClick={() => onChange([...lines, empty])}>
              {props.add}
            </Button>
            {props.beside}
          </div>
        </div>
      )}
    </FieldFrame>
  );
}

/** User name and password, or a token. A stored password stays unless another one is typed. */
function SignIn({ draft, set }: PartProps) {
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
        <div className={isBearer ? '' : 'two'}>
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

const OPERATORS = Object.keys(words.monitorForm.operators) as Operator[];

/** What an answer must contain: nothing, keywords, or values in JSON. */
export function Content({ draft, set }: PartProps) {
  const { plan } = useSession();
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

const keywordField = (index: number, field: string) =>
  `keyword_settings.keywords.${index}.${field}`;

function Keywords({ draft: { keywords, searchTarget }, set }: PartProps) {
  return (
    <Lines
      name="keyword_settings"
      label={monitorForm.keywords}
      of={monitorForm.keywords}
      look="mf-keyword"
      lines={keywords}
      empty={EMPTY_KEYWORD}
      onChange={(changed) => set({ keywords: changed })}
      add={monitorForm.addKeyword}
      remove={monitorForm.removeLine}
      beside={
        <Select
          className="control auto"
          name="keyword_settings.search_target"
          aria-label={monitorForm.searchTarget}
          value={searchTarget}
          onChange={(target) => set({ searchTarget: target })}
          options={[
            { value: 'html', text: monitorForm.inHtml },
            { value: 'text', text: monitorForm.inText },
          ]}
        />
      }
      render={({ mode, phrase }, index, change) => (
        <>
          <Select
            name={keywordField(index, 'mode')}
            aria-label={monitorForm.modeOf(index + 1)}
            value={mode}
            onChange={(next) => change({ mode: next })}
            options={[
              { value: 'must_contain', text: monitorForm.mustContain },
              { value: 'must_not_contain', text: monitorForm.mustNotContain },
            ]}
          />
          <Marked
            name={keywordField(index, 'phrase')}
            label={monitorForm.phraseOf(index + 1)}
            placeholder={monitorForm.phraseExample}
            value={phrase}
            onChange={(value) => change({ phrase: value })}
          />
        </>
      )}
      renderBelow={({ case_sensitive }, index, change) => (
        <Tick
          name={keywordField(index, 'case_sensitive')}
          label={monitorForm.caseSensitive}
          checked={case_sensitive}
          onChange={(isOn) => change({ case_sensitive: isOn })}
        />
      )}
    />
  );
}

const assertionField = (index: number, field: string) =>
  `json_assertion_settings.assertions.${index}.${field}`;

function Assertions({ draft: { assertions }, set }: PartProps) {
  return (
    <Lines<Draft['assertions'][number]>
      name="json_assertion_settings"
      label={monitorForm.assertions}
      hint={monitorForm.assertionsHint}
      of={monitorForm.assertions}
      look="mf-assertion"
      lines={assertions}
      empty={EMPTY_ASSERTION}
      onChange={(changed) => set({ assertions: changed })}
      add={monitorForm.addAssertion}
      remove={monitorForm.removeLine}
      render={({ path, operator, value }, index, change) => (
        <>
          <Marked
            name={assertionField(index, 'path')}
            label={monitorForm.pathOf(index + 1)}
            placeholder="data.status"
            value={path}
            onChange={(text) => change({ path: text })}
          />
          <Select
            name={assertionField(index, 'operator')}
            aria-label={monitorForm.operatorOf(index + 1)}
            value={operator}
            onChange={(next) => change({ operator: next })}
            options={OPERATORS.map((one) => ({ value: one, text: monitorForm.operators[one] }))}
          />
          {WITHOUT_VALUE.includes(operator) ? (
            <span />
          ) : (
            <Marked
              name={assertionField(index, 'value')}
              label={monitorForm.valueOf(index + 1)}
              placeholder="ok"
              value={value}
              onChange={(text) => change({ value: text })}
            />
          )}
        </>
      )}
    />
  );
}

/** Field without a label of its own that is marked when it is wrong; the message stands below the list. */
function Marked(props: {
  name: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder: string;
}) {
  const { label, onChange, ...rest } = props;
  const [error] = useFieldErrors(props.name);
  return (
    <input
      {...rest}
      className="control mono"
      aria-label={label}
      aria-invalid={error === undefined ? undefined : true}
      title={error}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
