import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { useRef, useState, type InputEvent } from 'react';
import { messageOf } from '../app/client.ts';
import { words } from '../words/index.ts';
import { Button } from './button.tsx';
import type { Confirmation, DialogProps } from './dialog.tsx';

/**
 * Dialog of Base UI, which keeps the focus inside and gives it back. Loaded with the first dialog. Escape and a click beside it
 * are easily made by mistake: they ask first where something was typed.
 */
export default function DialogLayer({ title, size, onClose, children }: DialogProps) {
  const isTyped = useRef(false);
  const [isAsking, setAsking] = useState(false);
  const leave = () => (isTyped.current ? setAsking(true) : onClose());
  const type = ({ target }: InputEvent<HTMLDivElement>) => {
    // A search only finds what to choose.
    if (!(target instanceof HTMLInputElement && target.type === 'search')) isTyped.current = true;
  };
  return (
    <BaseDialog.Root open onOpenChange={(isOpen) => !isOpen && leave()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="backdrop" />
        <BaseDialog.Popup className={size === 'large' ? 'dialog large' : 'dialog'} onInput={type}>
          <BaseDialog.Title>{title}</BaseDialog.Title>
          {children}
          {isAsking && (
            <ConfirmLayer
              title={words.dialog.discardTitle}
              text={words.dialog.discardText}
              action={words.dialog.discard}
              cancel={words.dialog.keepEditing}
              onConfirm={async () => onClose()}
              onClose={() => setAsking(false)}
            />
          )}
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
  cancel = words.common.cancel,
  typed,
  instead,
  look = 'danger',
  onConfirm,
  onCancel,
  onClose,
}: Confirmation & { onClose: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const [name, setName] = useState('');
  const isAllowed = typed === undefined || name.trim() === typed;
  const choose = async (act: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await act();
      onClose();
    } catch (problem) {
      setError(messageOf(problem));
      setBusy(false);
    }
  };
  const leave = () => {
    onCancel?.();
    onClose();
  };
  return (
    <AlertDialog.Root open onOpenChange={(isOpen) => !isOpen && leave()}>
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
            <AlertDialog.Close className="btn">{cancel}</AlertDialog.Close>
            {instead !== undefined && (
              <Button
                look="primary"
                isDisabled={isBusy}
                onClick={() => void choose(instead.onChoose)}
              >
                {instead.action}
              </Button>
            )}
            <Button
              look={look}
              isDisabled={isBusy || !isAllowed}
              onClick={() => void choose(onConfirm)}
            >
              {action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
