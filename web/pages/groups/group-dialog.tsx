import { useState, type ReactNode } from 'react';
import { ask, queries } from '../../app/api.ts';
import { createGroup, updateGroup } from '../../client/sdk.gen.ts';
import type { Group } from '../../client/types.gen.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Choose, Form, Input, TextArea } from '../../parts/form.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { parentsFor, siblingsOf } from './tree.ts';

/** Creates, renames or moves a group. `group` is null for a new one. */
export function GroupDialog({
  group,
  groups,
  onClose,
}: {
  group: Group | null;
  groups: readonly Group[];
  onClose: () => void;
}): ReactNode {
  const [name, setName] = useState(group?.name ?? '');
  const [description, setDescription] = useState(group?.description ?? '');
  const [parent, setParent] = useState(String(group?.parent_id ?? ''));
  const { groups: texts } = words;
  const parents = parentsFor(groups, group?.id ?? null);
  const save = async () => {
    const parentId = parent === '' ? null : Number(parent);
    // A new group, and one that moves, comes last.
    const last = siblingsOf(groups, parentId).at(-1)?.sort_order ?? -1;
    const isStaying = group !== null && group.parent_id === parentId;
    const body = {
      name: name.trim(),
      description: description.trim() === '' ? null : description,
      parent_id: parentId,
      sort_order: isStaying ? group.sort_order : last + 1,
    };
    const saved = await ask(
      group === null ? createGroup({ body }) : updateGroup({ path: { id: group.id }, body }),
    );
    onClose();
    say((group === null ? texts.created : texts.saved)(saved.name));
    await Promise.all(
      ['groups', 'monitors'].map((noun) => queries.invalidateQueries({ queryKey: [noun] })),
    );
  };
  return (
    <Dialog title={group === null ? texts.new : texts.edit} onClose={onClose}>
      <Form
        submit={group === null ? texts.create : words.common.save}
        onSubmit={save}
        onCancel={onClose}
      >
        <fieldset className="fieldset">
          <Input name="name" label={texts.name} maxLength={60} value={name} onChange={setName} />
          <TextArea
            name="description"
            label={texts.description}
            isOptional
            maxLength={255}
            value={description}
            onChange={setDescription}
          />
          <Choose
            name="parent_id"
            label={texts.parent}
            hint={texts.parentHint}
            value={parent}
            onChange={setParent}
            options={[
              { value: '', text: texts.noParent },
              ...parents.map(({ id, name: text }) => ({ value: String(id), text })),
            ]}
          />
        </fieldset>
      </Form>
    </Dialog>
  );
}
