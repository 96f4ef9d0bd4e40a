import { Dialog } from '@base-ui/react/dialog';
import { useCallback, useRef, useState, type KeyboardEvent } from 'react';
import { Icon } from '../parts/icon.tsx';
import { words } from '../words/index.ts';
import { usePaletteItems, type PaletteItem } from './palette-items.ts';
import { takeTypedAhead } from './palette-state.ts';

/** Scrolls the list to the entry that is chosen. */
const showWhole = (entry: HTMLElement | null) => entry?.scrollIntoView({ block: 'nearest' });

/** Palette that finds pages, monitors, incidents and groups, and what can be done with them. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  /** The field takes the focus before the dialog remembers where it was. */
  const before = useRef(document.activeElement as HTMLElement | null);
  const takeFocus = useCallback((input: HTMLInputElement | null) => {
    field.current = input;
    if (input === null) return;
    input.focus();
    const ahead = takeTypedAhead();
    if (ahead !== '') setTyped(ahead);
  }, []);
  const found = usePaletteItems(typed);
  const run = (item: PaletteItem | undefined) => {
    if (item === undefined) return;
    onClose();
    item.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setChosen((chosen + step + found.length) % Math.max(1, found.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(found[chosen]);
    }
  };
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog palette" initialFocus={field} finalFocus={before}>
          <Dialog.Title className="vh">{words.palette.title}</Dialog.Title>
          <div className="palette-field">
            <Icon name="search" />
            <input
              ref={takeFocus}
              role="combobox"
              aria-expanded
              aria-controls="palette-list"
              aria-activedescendant={found[chosen] && `palette-${found[chosen].key}`}
              aria-label={words.palette.title}
              placeholder={words.palette.hint}
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
                setChosen(0);
              }}
              onKeyDown={onKey}
            />
          </div>
          <div
            id="palette-list"
            className="palette-list"
            role="listbox"
            aria-label={words.palette.results}
          >
            {found.map((item, index) => (
              // The field has the keyboard; the list is for the pointer.
              <button
                key={item.key}
                ref={index === chosen ? showWhole : null}
                type="button"
                tabIndex={-1}
                id={`palette-${item.key}`}
                role="option"
                aria-selected={index === chosen}
                onPointerMove={() => index !== chosen && setChosen(index)}
                onClick={() => run(item)}
              >
                <Icon name={item.icon} />
                <span className="clip">{item.text}</span>
                {item.kind !== found[index - 1]?.kind && (
                  <span className="xs faint">{item.kind}</span>
                )}
              </button>
            ))}
          </div>
          {found.length === 0 && <p className="palette-none">{words.palette.none}</p>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
