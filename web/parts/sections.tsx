import type { ReactNode } from 'react';
import { useSession, type Role } from '../app/session.ts';
import { words } from '../words/index.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { Card, NeedsRole, PageHead } from './page.tsx';

/** Sections that the first view has none of. */

/** Names with values, one in a line. A value of null is left out. */
export function Facts({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {rows
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Technical values, one below the other. */
export function MonoLines({ values }: { values: readonly string[] }) {
  return values.map((value) => (
    <span key={value} className="mono block">
      {value}
    </span>
  ));
}

/** Steps through the pages of a list of the API. Nothing for a list of one page. */
export function Paging(props: { page: number; last: number; onChange: (page: number) => void }) {
  const { page, last, onChange } = props;
  if (last <= 1) return null;
  return (
    <div className="row over form-end">
      <Button icon="left" isDisabled={page <= 1} onClick={() => onChange(page - 1)}>
        {words.common.previous}
      </Button>
      <span className="dim">{words.common.page(page, last)}</span>
      <Button isDisabled={page >= last} onClick={() => onChange(page + 1)}>
        {words.common.next}
        <Icon name="right" />
      </Button>
    </div>
  );
}

/** Page of a form for a new thing, for people of at least a role. */
export function NewPage(props: {
  title: string;
  crumbs: readonly { text: string; href?: string }[];
  text?: ReactNode;
  least: Role;
  children?: ReactNode;
}) {
  const { title, crumbs, text, least, children } = props;
  const mayCreate = useSession().isAtLeast(least);
  return (
    <>
      <PageHead
        title={title}
        crumbs={crumbs}
        text={mayCreate ? text : <NeedsRole least={least} />}
      />
      {mayCreate && <Card className="narrow">{children}</Card>}
    </>
  );
}
