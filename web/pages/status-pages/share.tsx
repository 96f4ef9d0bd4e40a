import type { ReactNode } from 'react';
import { BASE } from '../../app/place.ts';
import type { StatusPage } from '../../client/types.gen.ts';
import { Card } from '../../parts/card.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { words } from '../../words/index.ts';
import { shareTexts } from './share.ts';

/** What carries the page to other places: its address, a badge, a frame and feeds, each as a text to copy. */
export function SharePanel({ page }: { page: StatusPage }): ReactNode {
  const w = words.statusPages.share;
  const texts = shareTexts(page);
  return (
    <Card title={w.title}>
      <div className="gap pad">
        {page.access.type !== 'public' && <p className="notice">{w.restricted}</p>}
        <Shared label={w.link} text={texts.link} />
        <Shared label={w.badge} text={texts.badge}>
          <img src={`${BASE}/status/${page.slug}/badge.svg`} alt={w.badge} height="20" />
        </Shared>
        <Shared label={w.uptimeBadge} text={texts.uptimeBadge}>
          <img
            src={`${BASE}/status/${page.slug}/badge.svg?kind=uptime`}
            alt={w.uptimeBadge}
            height="20"
          />
        </Shared>
        <Shared label={w.embed} text={texts.embed} />
        <Shared label="Atom" text={texts.atom} />
        <Shared label="RSS" text={texts.rss} />
        <Shared label={w.jsonFeed} text={texts.jsonFeed} />
        <Shared label={w.summary} text={texts.summary} />
      </div>
    </Card>
  );
}

function Shared({
  label,
  text,
  children,
}: {
  label: string;
  text: string;
  children?: ReactNode;
}): ReactNode {
  return (
    <div className="input">
      <span className="row">
        <span className="label">{label}</span>
        {children}
      </span>
      <Copyable text={text} label={label} />
    </div>
  );
}
