import type { ComponentProps } from 'react';
import { words } from '../words/index.ts';
import { Dialog, type DialogProps } from './dialog.tsx';
import { Form } from './form.tsx';

/** Dialog with a form, which closes once that is sent. */
export function FormDialog<Draft extends object>(
  props: Omit<DialogProps, 'children'> &
    Omit<ComponentProps<typeof Form<Draft>>, 'submit' | 'onCancel'> & {
      /** Said above the form. */
      text?: string;
      submit?: string;
    },
) {
  const { title, size, text, submit = words.common.save, onSubmit, onClose, ...form } = props;
  const send = async () => {
    await onSubmit();
    onClose();
  };
  return (
    <Dialog title={title} size={size} onClose={onClose}>
      {text !== undefined && <p className="dim">{text}</p>}
      <Form submit={submit} onSubmit={send} onCancel={onClose} {...form} />
    </Dialog>
  );
}
