import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { useState, type ReactNode } from 'react';
import { ApiError } from '../app/api.ts';
import { words } from '../words/index.ts';
import { Button } from './button.tsx';
import type { Confirmation, DialogProps } from './dialog.tsx';

/** Dialog of Base UI, which keeps the focus inside and gives it back. Loaded with the first dialog. */
export function DialogLayer({ title, size, onClose, children }: DialogProps): ReactNode {
  return (
    <BaseDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="backdrop" />
        <BaseDialog.Popup className={size === 'large' ? 'dialog large' : 'dialog'}>
          <BaseDialog.Title>{title}</BaseDialog.Title>
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

/** Question before something that can't be taken back: names what will be lost. */
export function ConfirmLayer({
  title,
  text,
  action,
  typed,
  onConfirm,
  onClose,
}: Confirmation & { onClose: () => void }): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const [name, setName] = useState('');
  const isAllowed = typed === undefined || name.trim() === typed;
  const confirm = async () => {
    if (!isAllowed) return;
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (problem) {
      setError(problem instanceof ApiError ? problem.message : words.errors.broken);
      setBusy(false);
    }
  };
  return (
    <AlertDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />}>{text}</AlertDialog.Description>
          {typed !== undefined && (
            <label className="input">
              <span className="label">{words.dialog.type(typed)}</span>
              <input
                className="control"
                value={name}
                autoComplete="off"
                onChange={(event) => setName(event.target.value)}
              />
            </label>
          )}
          {error !== '' && (
            <p className="errors" role="alert">
              {error}
            </p>
          )}
          <div className="acts">
            <AlertDialog.Close className="btn">{words.common.cancel}</AlertDialog.Close>
            <Button look="danger" isBusy={isBusy || !isAllowed} onClick={() => void confirm()}>
              {action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
