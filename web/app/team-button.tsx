import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Icon } from '../parts/icon.tsx';
import { openMenu } from '../parts/menu.tsx';
import { words } from '../words/index.ts';
import { changeTeam } from './change-team.ts';
import type { Session } from './session.tsx';

/** Name of the team; for people in several teams a button that switches. */
export function TeamButton({ session: { team, teams } }: { session: Session }): ReactNode {
  const others = teams.filter(({ is_current }) => !is_current);
  const name = team?.name ?? 'Tocsin';
  if (others.length === 0) {
    return (
      <Link className="team" href="/monitors" title={name}>
        <Logo />
        <span className="clip">{name}</span>
      </Link>
    );
  }
  const items = teams
    .toSorted((one, other) => one.name.localeCompare(other.name, words.time.locale))
    .map(({ id, name: text, is_current }) => ({
      text,
      ...(is_current && { icon: 'check' as const }),
      onSelect: () => (is_current ? undefined : void changeTeam(id)),
    }));
  return (
    <button
      type="button"
      className="team"
      title={name}
      aria-haspopup="menu"
      onClick={({ currentTarget }) =>
        openMenu({ label: words.nav.switchTeam, anchor: currentTarget, items })
      }
    >
      <Logo />
      <span className="clip">{name}</span>
      <Icon name="down" />
    </button>
  );
}

function Logo(): ReactNode {
  return (
    <span className="logo">
      <svg width="15" height="15" viewBox="0 0 16 16" aria-hidden="true">
        <use href="#bell" />
      </svg>
    </span>
  );
}
