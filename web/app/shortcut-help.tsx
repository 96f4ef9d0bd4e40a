import type { ReactNode } from 'react';
import { DialogLayer } from '../parts/dialog-layer.tsx';
import { words } from '../words/index.ts';

/** All shortcuts, as the key `?` shows them. */
export function ShortcutHelp({ onClose }: { onClose: () => void }): ReactNode {
  const { keys } = words.palette;
  const rows: [string[], string][] = [
    [['⌘ K', 'Ctrl K'], keys.palette],
    [['/'], keys.search],
    [['n'], keys.create],
    [['j', 'k'], keys.move],
    [['Enter'], keys.open],
    [['e'], keys.edit],
    [['x'], keys.select],
    [['g m', 'g i', 'g s'], keys.go],
    [['?'], keys.help],
    [['Esc'], keys.close],
  ];
  return (
    <DialogLayer title={words.palette.shortcuts} onClose={onClose}>
      <dl className="keys">
        {rows.map(([names, meaning]) => (
          <div key={meaning} className="keys-row">
            <dt>
              {names.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </DialogLayer>
  );
}
