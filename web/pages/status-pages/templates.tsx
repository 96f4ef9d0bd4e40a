import { useRead } from '../../app/api.ts';
import { type UpdateTemplate } from '../../app/client.ts';
import { collection } from '../../app/collection.ts';
import { useSession } from '../../app/session.ts';
import { UPDATE_TEMPLATE } from '../../app/fields.gen.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Choose, Input, TextArea, useForm } from '../../parts/form.tsx';
import { Mark, openKept, useKeptList } from '../../parts/kept.tsx';
import { Card, Loading } from '../../parts/page.tsx';
import { words } from '../../words/index.ts';

const saved = () => words.terms.saved;

const templateCollection = collection('UpdateTemplate', {
  texts: () => {
    const { deleteTemplate: deleteTitle, deleteTemplateText: deleteText } = words.statusPages;
    return { created: saved, saved, deleteTitle, deleteText, deleted: null };
  },
});

/** Templates of the team, for updates that are written in a hurry. */
export function useTemplates() {
  return useRead('listUpdateTemplates');
}

/** List of templates, with what can be done to them. */
export function TemplatesCard() {
  const w = words.statusPages;
  const canEdit = useSession().isAtLeast('editor');
  const templates = useTemplates();
  const kept = useKeptList('update_templates');
  return (
    <Card
      title={w.templates}
      aside={
        canEdit && (
          <Button icon="plus" onClick={() => edit(null)}>
            {w.newTemplate}
          </Button>
        )
      }
    >
      <Loading reads={[templates]} lines={1} />
      {templates.data?.total === 0 && <p className="pad dim">{w.noTemplates}</p>}
      <ul className="sm sp-templates">
        {templates.data?.data.map((template) => (
          <li key={template.id}>
            <div className="wrap">
              <p className="row">
                <span className="b">{template.name}</span>
                <span className="pill">{w.states[template.state]}</span>
                <Mark keeper={kept.get(template.id)} />
              </p>
              <p className="dim">{template.text}</p>
            </div>
            {canEdit && (
              <span className="row">
                <IconButton
                  icon="edit"
                  label={words.labels.editNamed(template.name)}
                  onClick={() => edit(template)}
                />
                <IconButton
                  icon="trash"
                  label={w.deleteNamed(template.name)}
                  onClick={() => templateCollection.askToDelete(template)}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

const edit = (template: UpdateTemplate | null) =>
  openKept('update_templates', template?.id ?? null, (onClose) => (
    <TemplateDialog template={template} onClose={onClose} />
  ));

function TemplateDialog(props: { template: UpdateTemplate | null; onClose: () => void }) {
  const { template, onClose } = props;
  const w = words.statusPages;
  const { draft, form } = useForm(UPDATE_TEMPLATE, {
    name: template?.name ?? '',
    title: template?.title ?? '',
    state: template?.state ?? 'investigating',
    text: template?.text ?? '',
  });
  const save = () =>
    templateCollection.save(template?.id ?? null, {
      ...draft,
      title: draft.title.trim() === '' ? null : draft.title,
    });
  return (
    <FormDialog
      title={template === null ? w.newTemplate : words.labels.editNamed(template.name)}
      {...form}
      onSubmit={save}
      onClose={onClose}
    >
      <div className="gap">
        <Input name="name" label={words.labels.name} />
        <Choose name="state" label={w.state} texts={w.states} />
        <Input name="title" label={words.labels.title} isOptional />
        <TextArea name="text" label={w.text} hint={w.templateHint} rows={5} />
      </div>
    </FormDialog>
  );
}
