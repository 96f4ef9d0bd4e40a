import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import {
  createUpdateTemplate,
  deleteUpdateTemplate,
  listUpdateTemplates,
  updateUpdateTemplate,
} from '../../client/sdk.gen.ts';
import type { UpdateTemplate } from '../../client/types.gen.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { confirm, Dialog } from '../../parts/dialog.tsx';
import { Failure, Waiting } from '../../parts/failure.tsx';
import { Choose, Form, Input, TextArea } from '../../parts/form.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { STATES, type AnnouncementState } from './facts.ts';

/** Templates of the team, for updates that are written in a hurry. */
export function useTemplates() {
  return useRead(['announcements', 'templates'], () => listUpdateTemplates());
}

/** List of templates, with what can be done to them. */
export function TemplatesCard(): ReactNode {
  const w = words.statusPages;
  const canEdit = useSession().isAtLeast('editor');
  const templates = useTemplates();
  const [edited, setEdited] = useState<UpdateTemplate | 'new' | null>(null);
  const remove = useChange(
    (id: number) => deleteUpdateTemplate({ path: { id } }),
    ['announcements'],
  );
  const ask = ({ id, name }: UpdateTemplate) =>
    confirm({
      title: w.deleteTemplate(name),
      text: w.deleteTemplateText,
      action: words.common.delete,
      onConfirm: () => remove.mutateAsync(id),
    });
  return (
    <Card
      title={w.templates}
      aside={
        canEdit && (
          <Button icon="plus" onClick={() => setEdited('new')}>
            {w.newTemplate}
          </Button>
        )
      }
    >
      {templates.error && (
        <Failure error={templates.error} retry={() => void templates.refetch()} />
      )}
      {templates.isPending && <Waiting lines={1} />}
      {templates.data?.total === 0 && <p className="pad dim">{w.noTemplates}</p>}
      <ul className="sp-templates">
        {templates.data?.data.map((template) => (
          <li key={template.id}>
            <div>
              <p className="row">
                <span className="b">{template.name}</span>
                <span className="pill">{w.states[template.state]}</span>
              </p>
              <p className="dim">{template.text}</p>
            </div>
            {canEdit && (
              <span className="row">
                <IconButton
                  look="ghost"
                  icon="edit"
                  label={w.editNamed(template.name)}
                  onClick={() => setEdited(template)}
                />
                <IconButton
                  look="ghost"
                  icon="trash"
                  label={w.deleteNamed(template.name)}
                  onClick={() => ask(template)}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
      {edited !== null && (
        <TemplateDialog
          template={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
    </Card>
  );
}

function TemplateDialog({
  template,
  onClose,
}: {
  template: UpdateTemplate | null;
  onClose: () => void;
}): ReactNode {
  const w = words.statusPages;
  const [name, setName] = useState(template?.name ?? '');
  const [title, setTitle] = useState(template?.title ?? '');
  const [state, setState] = useState<AnnouncementState>(template?.state ?? 'investigating');
  const [text, setText] = useState(template?.text ?? '');
  const body = { name, title: title.trim() === '' ? null : title, state, text };
  const save = useChange(
    () =>
      template === null
        ? createUpdateTemplate({ body })
        : updateUpdateTemplate({ path: { id: template.id }, body }),
    ['announcements'],
  );
  return (
    <Dialog
      title={template === null ? w.newTemplate : w.editNamed(template.name)}
      onClose={onClose}
    >
      <Form
        submit={words.common.save}
        onCancel={onClose}
        onSubmit={async () => {
          await save.mutateAsync(undefined);
          say(w.saved);
          onClose();
        }}
      >
        <div className="gap sp-dialog">
          <Input
            name="name"
            label={w.templateName}
            value={name}
            onChange={setName}
            maxLength={100}
          />
          <Choose
            name="state"
            label={w.state}
            value={state}
            onChange={(value) => setState(value as AnnouncementState)}
            options={[...STATES.incident, ...STATES.maintenance].map((value) => ({
              value,
              text: w.states[value],
            }))}
          />
          <Input
            name="title"
            label={w.announcementTitle}
            isOptional
            value={title}
            onChange={setTitle}
          />
          <TextArea
            name="text"
            label={w.text}
            hint={w.templateHint}
            rows={5}
            value={text}
            onChange={setText}
          />
        </div>
      </Form>
    </Dialog>
  );
}
