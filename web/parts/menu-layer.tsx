import { Menu } from '@base-ui/react/menu';
import { useEffect, useRef } from 'react';
import { Icon } from './icon.tsx';
import { words } from '../words/index.ts';
import type { OpenMenu } from './menu.tsx';

/** Menu of Base UI at the button that was pressed. Loaded with the first menu. */
export default function MenuLayer({ menu, onClose }: { menu: OpenMenu; onClose: () => void }) {
  const popup = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!menu.isByKeyboard) return;
    // The popup takes the focus first.
    const frame = requestAnimationFrame(() =>
      popup.current?.querySelector<HTMLElement>('[role=menuitem]:not([data-disabled])')?.focus(),
    );
    return () => cancelAnimationFrame(frame);
  }, [menu]);
  const items = menu.items.filter((item) => item !== false);
  const hasIcons = items.some((item) => item !== 'line' && item.icon);
  return (
    <Menu.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Menu.Portal>
        <Menu.Positioner className="layer" anchor={menu.anchor} align="end" sideOffset={4}>
          <Menu.Popup
            ref={popup}
            className="menu"
            aria-label={menu.label}
            finalFocus={() => menu.anchor}
          >
            {items.map((item, index) =>
              item === 'line' ? (
                <hr key={`line ${index}`} />
              ) : (
                <Menu.Item
                  key={item.text}
                  disabled={item.isDisabled ?? false}
                  className={`${item.isDanger ? 'down' : ''} ${hasIcons && !item.icon ? 'indent' : ''}`}
                  onClick={item.onSelect}
                >
                  {item.icon && <Icon name={item.icon} />}
                  {item.text}
                  {item.isChosen && (
                    <span className="chosen">
                      <Icon name="check" />
                      <span className="vh">{words.common.chosen}</span>
                    </span>
                  )}
                </Menu.Item>
              ),
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
