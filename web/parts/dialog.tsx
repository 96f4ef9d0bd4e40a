import { Fragment, lazy, Suspense, type ReactNode } from 'react';
import { createStore } from '../app/store.ts';
import { whenReachable } from '../lib/when-reachable.ts';

export interface DialogProps {
  title: string;
  size?: 'normal' | 'large';
  onClose: () => void;
  children: ReactNode;
}

/** What a person is asked before something is lost. */
export interface Confirmation {
  title: string;
  /** Names what will be lost. */
  text: ReactNode;
  /** Word on the button, such as "Delete". */
  action: string;
  /** Word on the button that leaves all as it is; "Cancel" unless given. */
  cancel?: string;
  /** Name that must be typed first; only where many people lose something for good. */
  typed?: string;
  /** A gentler way to the same end, offered before it. */
  instead?: { action: string; onChoose: () => Promise<unknown> };
  /** Red unless given: what is confirmed loses something. */
  look?: 'primary' | 'danger';
  /** Does it. An error is shown in the dialog. */
  onConfirm: () => Promise<unknown>;
  /** Called when the person decides against it. */
  onCancel?: () => void;
}

const DialogLayer = lazy(whenReachable(() => import('./dialog-layer.tsx')));
const ConfirmLayer = lazy(
  whenReachable(() =>
    import('./dialog-layer.tsx').then(({ ConfirmLayer: layer }) => ({ default: layer })),
  ),
);

/** Dialog that is open while it is rendered. */
export function Dialog(props: DialogProps) {
  return (
    <Suspense>
      <DialogLayer {...props} />
    </Suspense>
  );
}

const opened = createStore<ReactNode>(null);
let nextKey = 1;

/** Opens a dialog over the page, in place of one that is open. What is rendered calls `onClose` when it is done. */
export function openDialog(render: (onClose: () => void) => ReactNode): void {
  const close = () => opened.read() === dialog && opened.set(null);
  const dialog = <Fragment key={nextKey++}>{render(close)}</Fragment>;
  opened.set(dialog);
}

/** Closes the dialog that is open, if any. */
export function closeDialog(): void {
  opened.set(null);
}

/** The dialog that is open, if any. Once, inside of the session. */
export const Dialogs = opened.useValue;

const asked = createStore<Confirmation | null>(null);

/** Asks before something is lost. */
export function confirm(confirmation: Confirmation): void {
  asked.set(confirmation);
}

/** A question that is open while it is rendered. */
export function Confirm(props: Confirmation & { onClose: () => void }) {
  return (
    <Suspense>
      <ConfirmLayer {...props} />
    </Suspense>
  );
}

/** The question that is open, if any. Once on a page. */
export function Confirmations() {
  const open = asked.useValue();
  return open && <Confirm {...open} onClose={() => asked.set(null)} />;
}
