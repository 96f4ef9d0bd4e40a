import { Dialog } from '@base-ui/react/dialog';
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Icon } from '../parts/icon.tsx';
import { words } from '../words/index.ts';
import { usePaletteItems, type PaletteItem } from './palette-items.ts';
import { queries, useRead } from './api.ts';
import { furtherPages, navSections } from './navigation.ts';
import { BASE } from './place.ts';
import { rows, setLanguage, setRows, setTheme } from './preferences.ts';
import { useSession } from './session.tsx';

/** Scrolls the list to the entry that is chosen. */
const showWhole = (entry: HTMLElement | null) => entry?.scrollIntoView({ block: 'nearest' });

/** Palette that finds pages, monitors, incidents and groups, and what can be done with them. */
export function Palette({ onClose }: { onClose: () => void }): ReactNode {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const field = useRef<HTMLInputElement>(null);
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
        <Dialog.Popup className="dialog palette" initialFocus={field}>
          <Dialog.Title className="vh">{words.palette.title}</Dialog.Title>
          <div className="palette-field">
            <Icon name="search" />
            <input
              ref={field}
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
                <span className="kind">{item.kind}</span>
              </button>
            ))}
          </div>
          {found.length === 0 && <p className="palette-none">{words.palette.none}</p>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Everything that can be found. Monitors come from the overview if the list was open. */
function useItems(): Item[] {
  const [, navigate] = useLocation();
  const session = useSession();
  const enabled = session.team !== null;
  const groups = useRead(['groups'], () => listGroups(), { enabled });
  const incidents = useRead(
    ['incidents', 'palette'],
    () => listIncidents({ query: { status: 'open', per_page: 50 } }),
    { enabled },
  );
  return useMemo(() => {
    const { palette, nav } = words;
    const go = (path: string) => () => navigate(path);
    const entries = [
      ...navSections(session).flatMap((section) => section.entries),
      ...furtherPages(session),
    ];
    const pages = entries.map(({ href, text, icon }) => page(href, text, icon, go(href)));
    const overview = queries.getQueryData<{
      monitors: { id: number; name: string; target?: string }[];
    }>(['monitors', 'overview']);
    const monitors = (overview?.monitors ?? []).map(({ id, name, target }) => ({
      key: `monitor-${id}`,
      text: name,
      ...(target !== undefined && { also: target }),
      kind: palette.kinds.monitor,
      icon: 'monitors' as const,
      run: go(`/monitors/${id}`),
    }));
    const open = (incidents.data?.data ?? []).map(({ id, root_cause, monitor }) => ({
      key: `incident-${id}`,
      text: `${monitor?.friendly_name ?? monitor?.url ?? `#${id}`}: ${root_cause}`,
      kind: palette.kinds.incident,
      icon: 'incidents' as const,
      run: go(`/incidents/${id}`),
    }));
    const grouped = (groups.data?.data ?? []).map(({ id, name }) => ({
      key: `group-${id}`,
      text: name,
      kind: palette.kinds.group,
      icon: 'groups' as const,
      run: go(`/monitors?group=${id}`),
    }));
    const actions: Item[] = [
      action('new', nav.newMonitor, 'plus', go('/monitors/new')),
      action('check', nav.check, 'globe', go('/check')),
      action('maintenance', palette.newMaintenance, 'maintenance', go('/maintenance/new')),
      action('light', palette.light, 'settings', () => setTheme('light')),
      action('dark', palette.dark, 'settings', () => setTheme('dark')),
      action('system', palette.system, 'settings', () => setTheme('system')),
      action('rows', palette.rows, 'settings', () =>
        setRows(rows() === 'dense' ? 'comfortable' : 'dense'),
      ),
      action('en', palette.english, 'settings', () => setLanguage('en')),
      action('de', palette.german, 'settings', () => setLanguage('de')),
      action('docs', nav.api, 'external', () => location.assign(`${BASE}/docs`)),
    ];
    return [...pages, ...actions, ...open, ...monitors, ...grouped];
  }, [session, groups.data, incidents.data, navigate]);
}

function page(href: string, text: string, icon: IconName, run: () => void): Item {
  return { key: `page-${href.slice(1)}`, text, kind: words.palette.kinds.page, icon, run };
}

function action(key: string, text: string, icon: IconName, run: () => void): Item {
  return { key: `action-${key}`, text, kind: words.palette.kinds.action, icon, run };
}
