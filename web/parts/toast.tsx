import { useSyncExternalStore, type ReactNode } from 'react';
import { words } from '../words/index.ts';
import { ApiError } from '../app/ask.ts';

interface Message {
  id: number;
  text: string;
  /** Takes back what was done. */
  undo?: () => void;
}

/** Time that a message is shown, in milliseconds: longer when something can be taken back. */
const SHOWN_MS = 5_000;
const SHOWN_WITH_UNDO_MS = 10_000;
/** Added for each letter: a long message is read for longer. */
const LETTER_MS = 60;

let messages: readonly Message[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

/** Shows a message at the edge of the page, with a button to take it back if `undo` is given. */
export function say(text: string, undo?: () => void): void {
  const message = { id: nextId++, text, ...(undo && { undo }) };
  set([...messages.slice(-2), message]);
  const shownMs = (undo ? SHOWN_WITH_UNDO_MS : SHOWN_MS) + text.length * LETTER_MS;
  setTimeout(() => dismiss(message.id), shownMs);
}

/** Shows why a request failed: for actions without a form. */
export function sayError(error: unknown): void {
  say(error instanceof ApiError ? error.message : words.errors.broken);
}

function dismiss(id: number): void {
  set(messages.filter((message) => message.id !== id));
}

function set(next: readonly Message[]): void {
  messages = next;
  for (const listener of listeners) listener();
}

/** Messages that are shown now. Once on a page. */
export function Toasts(): ReactNode {
  const shown = useSyncExternalStore(subscribe, () => messages);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, undo }) => (
        <div key={id} className="toast">
          <p>{text}</p>
          {undo && (
            <button
              type="button"
              onClick={() => {
                undo();
                dismiss(id);
              }}
            >
              {words.common.undo}
            </button>
          )}
          <button type="button" onClick={() => dismiss(id)}>
            {words.common.close}
          </button>
        </div>
      ))}
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
