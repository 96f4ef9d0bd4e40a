import type { ReactNode } from 'react';
import { useRead } from '../../app/api.ts';
import { listStatusPages } from '../../client/sdk.gen.ts';
import { useFieldErrors } from '../../parts/form.tsx';
import { words } from '../../words/index.ts';

/** Boxes to tick for the pages that show an announcement; nothing where the team has one page only. */
export function PageTicks({
  picked,
  onChange,
}: {
  picked: readonly number[];
  onChange: (ids: number[]) => void;
}): ReactNode {
  const pages = useRead(['status-pages', 'all'], () =>
    listStatusPages({ query: { per_page: 100, sort: 'title' } }),
  );
  const [error] = useFieldErrors('status_pages');
  if (pages.data === undefined || pages.data.total < 2) {
    return error === undefined ? null : <p className="errors">{error}</p>;
  }
  return (
    <fieldset className="picker">
      <legend>{words.statusPages.onPages}</legend>
      {pages.data.data.map(({ id, name }) => (
        <label key={id} className="choice">
          <input
            type="checkbox"
            name="status_pages"
            checked={picked.includes(id)}
            onChange={(event) =>
              onChange(
                event.target.checked ? [...picked, id] : picked.filter((other) => other !== id),
              )
            }
          />
          <span>{name}</span>
        </label>
      ))}
      {error && <p className="error">{error}</p>}
    </fieldset>
  );
}
