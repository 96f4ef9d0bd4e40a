import { useState } from 'react';
import { messageOf } from '../app/client.ts';
import { createStore } from '../app/store.ts';
import { words } from '../words/index.ts';

interface Message {
  id: number;
  text: string;
  /** Takes back what was done. */
  undo?: () => void;
}

/** Time that a message is shown: longer when something can be taken back. */
const SHOWN_MS = 5_000;
const SHOWN_WITH_UNDO_MS = 10_000;
/** Added for each letter: a long message is read for longer. */
const LETTER_MS = 60;

const messages = createStore<readonly Message[]>([]);
let nextId = 1;

/** Shows a message at the edge of the page, with a button to take it back if `undo` is given. */
export function showToast(text: string, undo?: () => void): void {
  const message = { id: nextId++, text, ...(undo && { undo }) };
  messages.set([...messages.read().slice(-2), message]);
  const shownMs = (undo ? SHOWN_WITH_UNDO_MS : SHOWN_MS) + text.length * LETTER_MS;
  setTimeout(() => dismiss(message.id), shownMs);
}

/** Shows why a request failed: for actions without a form. */
export function showError(error: unknown): void {
  showToast(messageOf(error));
}

/** Does something and says what it answers, or why it failed: for actions without a form. */
export async function attempt(act: () => Promise<string | void>): Promise<void> {
  try {
    const done = await act();
    if (done !== undefined) showToast(done);
  } catch (error) {
    showError(error);
  }
}

/** An action without a form, as `attempt` does it, and whether it is under way. */
export function useAct<Input extends unknown[]>(
  act: (...input: Input) => Promise<string | void>,
): { isBusy: boolean; run: (...input: Input) => Promise<void> } {
  const [isBusy, setBusy] = useState(false);
  const run = async (...input: Input) => {
    setBusy(true);
    await attempt(() => act(...input));
    setBusy(false);
  };
  return { isBusy, run };
}

function dismiss(id: number): void {
  messages.set(messages.read().filter((message) => message.id !== id));
}

/** Messages that are shown now. Once on a page. */
export function Toasts() {
  const shown = messages.useValue();
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, undo }) => (
        <div key={id} className="line apart sm toast">
          <p className="grow wrap">{text}</p>
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
