import { Button } from '../parts/button.tsx';
import DialogLayer from '../parts/dialog-layer.tsx';
import { words } from '../words/index.ts';
import { GO_TO } from './shortcuts.ts';

/** All shortcuts, as the key `?` shows them. */
export default function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const { keys } = words.palette;
  const { nav } = words;
  const names: Record<string, string> = {
    '/monitors': nav.monitors,
    '/incidents': nav.incidents,
    '/status-pages': nav.statusPages,
    '/reports': nav.reports,
    '/maintenance': nav.maintenance,
    '/channels': nav.channels,
    '/account': nav.account,
  };
  const rows: [string[], string][] = [
    [['⌘ K', 'Ctrl K'], words.palette.title],
    [['/'], keys.search],
    [['n'], words.nav.newMonitor],
    [['j', 'k'], keys.move],
    [['Enter'], keys.open],
    [['e'], words.common.edit],
    [['x'], keys.select],
    ...Object.entries(GO_TO).map(([key, path]): [string[], string] => [
      [`g ${key}`],
      keys.go(names[path]!),
    ]),
    [['?'], keys.help],
    [['Esc'], keys.close],
  ];
  return (
    <DialogLayer title={words.nav.shortcuts} onClose={onClose}>
      <dl className="keys">
        {rows.map(([pressed, meaning]) => (
          <div key={meaning} className="contents">
            <dt>
              {pressed.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <div className="acts">
        <Button onClick={onClose}>{words.common.close}</Button>
      </div>
    </DialogLayer>
  );
}
