import { lazy, Suspense, type Ref } from 'react';
import { createStore } from '../app/store.ts';
import { whenReachable } from '../lib/when-reachable.ts';
import { words } from '../words/index.ts';
import { IconButton } from './button.tsx';
import type { IconName } from './icon.tsx';

export interface MenuItem {
  text: string;
  icon?: IconName;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** Whether it is what holds now, of those that exclude each other. */
  isChosen?: boolean;
  onSelect: () => void;
}

export interface MenuRequest {
  label: string;
  anchor: HTMLElement;
  /** Those that are false are left out. */
  items: readonly (MenuItem | 'line' | false)[];
}

/** How menus offer to delete something. */
export const DELETE = { text: words.common.delete, icon: 'trash', isDanger: true } as const;

export interface OpenMenu extends MenuRequest {
  /** Whether the button was pressed by the keyboard: then the first entry takes the focus. */
  isByKeyboard: boolean;
}

const MenuLayer = lazy(whenReachable(() => import('./menu-layer.tsx')));

const open = createStore<OpenMenu | null>(null);

/**
 * Opens a menu at a button, which needs `aria-haspopup="menu"`. There is one menu on a page, and none per row: a menu in each
 * row of a long list costs more than all else in it.
 */
export function openMenu(menu: MenuRequest): void {
  open.set({ ...menu, isByKeyboard: menu.anchor.matches(':focus-visible') });
}

/** Button that opens a menu of all that can be done besides. */
export function MoreMenu(props: {
  label: string;
  items: () => MenuRequest['items'];
  look?: 'ghost';
  ref?: Ref<HTMLButtonElement>;
}) {
  const { label, items, look = 'plain', ref } = props;
  return (
    <IconButton
      ref={ref}
      look={look}
      icon="more"
      label={label}
      aria-haspopup="menu"
      onClick={({ currentTarget }) => openMenu({ label, anchor: currentTarget, items: items() })}
    />
  );
}

/** The menu that is open, if any. Once on a page. */
export function Menus() {
  const menu = open.useValue();
  if (menu === null) return null;
  return (
    <Suspense>
      <MenuLayer menu={menu} onClose={() => open.set(null)} />
    </Suspense>
  );
}
