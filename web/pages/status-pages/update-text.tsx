import type { ReactNode } from 'react';
import type { UpdateTemplate } from '../../client/types.gen.ts';
import { Choose, TextArea } from '../../parts/form.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { words } from '../../words/index.ts';
import { kindOf, STATES, type AnnouncementState, type Kind } from './facts.ts';
import { useTemplates } from './templates.tsx';

/** List of states that an announcement of a kind can have. */
export function StateField({
  kind,
  value,
  onChange,
}: {
  kind: Kind;
  value: AnnouncementState;
  onChange: (state: AnnouncementState) => void;
}): ReactNode {
  const w = words.statusPages;
  return (
    <Choose
      name="state"
      label={w.state}
      hint={value === STATES[kind].at(-1) ? w.endsIt : undefined}
      value={value}
      onChange={(state) => onChange(state as AnnouncementState)}
      options={STATES[kind].map((state) => ({ value: state, text: w.states[state] }))}
    />
  );
}

/** List of templates for a kind; nothing where the team has none. */
export function TemplateField({
  kind,
  onPick,
}: {
  kind: Kind;
  onPick: (template: UpdateTemplate) => void;
}): ReactNode {
  const w = words.statusPages;
  const all = useTemplates().data?.data ?? [];
  const fitting = all.filter(({ state }) => kindOf(state) === kind);
  if (fitting.length === 0) return null;
  return (
    <Choose
      name="template_id"
      label={w.template}
      value=""
      onChange={(id) => {
        const template = fitting.find((one) => String(one.id) === id);
        if (template !== undefined) onPick(template);
      }}
      options={[
        { value: '', text: w.pickTemplate },
        ...fitting.map(({ id, name }) => ({ value: String(id), text: name })),
      ]}
    />
  );
}

/** Text of an update with its preview below. */
export function UpdateText({
  value,
  onChange,
}: {
  value: string;
  onChange: (text: string) => void;
}): ReactNode {
  const w = words.statusPages;
  return (
    <>
      <TextArea
        name="text"
        label={w.text}
        hint={w.markdownHint}
        rows={5}
        value={value}
        onChange={onChange}
      />
      {value.trim() !== '' && (
        <div className="sp-text-preview">
          <p className="xs faint">{w.visitorsRead}</p>
          <Markdown text={value} />
        </div>
      )}
    </>
  );
}

/** Puts names in the place of `{services}` of a template. */
export function filled(text: string, services: readonly string[]): string {
  const list = services.length === 0 ? words.statusPages.ourServices : services.join(', ');
  return text.replaceAll('{services}', list);
}
