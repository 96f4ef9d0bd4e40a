import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { whenReachable } from '../lib/when-reachable.ts';
import { openPalette, overlay } from './palette-state.ts';

/** Time for the second key of a pair such as `g m`. */
const PAIR_MS = 1_000;

/** Pages that `g` and a letter lead to. */
export const GO_TO: Record<string, string> = {
  m: '/monitors',
  i: '/incidents',
  s: '/status-pages',
  r: '/reports',
  w: '/maintenance',
  c: '/channels',
  a: '/account',
};

/** What a key press asks for; null for nothing. Pure. */
export type Command = Act | { do: 'palette' } | { do: 'wait' } | null;

/** What a command does on the page. */
export type Act =
  | { do: 'search' | 'new' | 'help' | 'next' | 'previous' | 'edit' | 'select' }
  | { do: 'go'; path: string };

/** Reads a key press, which is not made while typing. @param before key pressed just before, for pairs */
export function commandOf(
  { key, isControl }: { key: string; isControl: boolean },
  before: string,
): Command {
  if (isControl) return key.toLowerCase() === 'k' ? { do: 'palette' } : null;
  if (before === 'g') {
    const path = GO_TO[key];
    return path === undefined ? null : { do: 'go', path };
  }
  const command = COMMANDS[key];
  return command === undefined ? null : { do: command };
}

const COMMANDS: Record<string, 'wait' | Exclude<Act['do'], 'go'>> = {
  g: 'wait',
  '/': 'search',
  n: 'new',
  '?': 'help',
  j: 'next',
  k: 'previous',
  e: 'edit',
  x: 'select',
};

const load = () => import('./shortcut-acts.ts');
let acts: Awaited<ReturnType<typeof load>> | null = null;

/** Loads what shortcuts do. */
export const loadActs = async () => (acts = await load());

/** Listens to the shortcuts. Once on a page. */
export function useShortcuts(): void {
  const [page, navigate] = useLocation();
  useEffect(() => {
    let before = '';
    let beforeAt = 0;
    const listen = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, timeStamp } = event;
      if (event.defaultPrevented || altKey || event.isComposing) return;
      const isControl = ctrlKey || metaKey;
      if (!isControl && (isTyping(event.target) || overlay.read() !== null || hasLayer())) return;
      const command = commandOf({ key, isControl }, timeStamp - beforeAt < PAIR_MS ? before : '');
      [before, beforeAt] = [key, timeStamp];
      if (command === null || command.do === 'wait') return;
      event.preventDefault();
      // The palette opens at once, so that it gets the next letters.
      if (command.do === 'palette') openPalette();
      // Within the event once they are loaded, so that a key that is held down moves by a row each time.
      else if (acts !== null) acts.act(command, page, navigate);
      else void whenReachable(loadActs)().then(({ act }) => act(command, page, navigate));
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [page, navigate]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && target.type === 'checkbox') return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

/** Whether a dialog or a menu is open: keys belong to it. */
function hasLayer(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null;
}
