import type { ReactNode } from 'react';
import { words } from '../words/index.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** Steps through the pages of a list of the API. Nothing for a list of one page. */
export function Paging({
  page,
  last,
  onChange,
}: {
  page: number;
  last: number;
  onChange: (page: number) => void;
}): ReactNode {
  if (last <= 1) return null;
  return (
    <div className="form-end">
      <Button icon="left" isBusy={page <= 1} onClick={() => onChange(page - 1)}>
        {words.common.previous}
      </Button>
      <span className="dim">{words.common.page(page, last)}</span>
      <Button isBusy={page >= last} onClick={() => onChange(page + 1)}>
        {words.common.next}
        <Icon name="right" />
      </Button>
    </div>
  );
}
