import { useState, type ReactNode } from 'react';
import { ApiError } from '../../app/api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, Input } from '../../parts/form.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { writeFilter, type Filter } from './filter.ts';
import { saveFilters, useSavedFilters } from './kept-state.ts';
import { withSaved } from './kept.ts';

/** Asks for the name of a filter, and saves it. */
export default function NameDialog({
  filter,
  onClose,
}: {
  filter: Filter;
  onClose: () => void;
}): ReactNode {
  const saved = useSavedFilters();
  const [name, setName] = useState('');
  const { saved: texts } = words.monitors;
  const save = async () => {
    const trimmed = name.trim();
    if (trimmed === '') throw new ApiError(0, { errors: { name: [texts.nameNeeded] } });
    saveFilters(withSaved(saved, { name: trimmed, search: writeFilter(filter) }));
    onClose();
    say(texts.done(trimmed));
  };
  return (
    <Dialog title={texts.save} onClose={onClose}>
      <Form submit={words.common.save} onSubmit={save} onCancel={onClose}>
        <Input
          name="name"
          label={texts.name}
          hint={texts.hint}
          maxLength={60}
          value={name}
          onChange={setName}
        />
      </Form>
    </Dialog>
  );
}
