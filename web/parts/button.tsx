import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import { Icon, type IconName } from './icon.tsx';

type Look = 'plain' | 'primary' | 'ghost' | 'danger';

interface Looks {
  look?: Look;
  icon?: IconName;
}

function classOf(look: Look, isSquare: boolean): string {
  return ['btn', look === 'plain' ? '' : look, isSquare ? 'square' : ''].filter(Boolean).join(' ');
}

/** Button. `isDisabled` disables it without losing its focus. */
export function Button(props: ComponentProps<'button'> & Looks & { isDisabled?: boolean }) {
  const { look = 'plain', icon, isDisabled = false, children, onClick, ...rest } = props;
  return (
    <button
      type="button"
      className={classOf(look, children === undefined)}
      aria-disabled={isDisabled || undefined}
      onClick={isDisabled ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** Link that looks like a button. */
export function ButtonLink(
  props: Looks & {
    href: string;
    /** Whether a narrow page leaves it out, which has it elsewhere. */
    isOnlyWide?: boolean;
    children: ReactNode;
  },
) {
  const { look = 'plain', icon, href, isOnlyWide = false, children } = props;
  return (
    <Link className={classOf(look, false) + (isOnlyWide ? ' wide' : '')} href={href}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  );
}

/** Button with an icon alone, without a border unless it has another look; `label` is its name. */
export function IconButton(
  props: Omit<ComponentProps<typeof Button>, 'children'> & { label: string; icon: IconName },
) {
  const { label, ...rest } = props;
  return <Button look="ghost" aria-label={label} title={label} {...rest} />;
}
