import type { ReactNode } from 'react';
import type { ApiError } from '../../app/client.ts';
import { Failure, Waiting } from '../../parts/page.tsx';

/** List in a section of the account, with its states. `children` are the rows. */
export function AccountRows(props: {
  list: { data?: readonly unknown[] | undefined; error: ApiError | null; refetch: () => unknown };
  /** Sentence for a list of nothing. */
  empty: string;
  children: ReactNode;
}) {
  const { list, empty, children } = props;
  if (list.data === undefined && list.error !== null)
    return <Failure error={list.error} retry={() => void list.refetch()} />;
  if (list.data === undefined) return <Waiting lines={2} />;
  if (list.data.length === 0) return <p className="inset over sm dim account-none">{empty}</p>;
  return <ul className="account-rows">{children}</ul>;
}

/** Row with a name, facts below it, and buttons. Facts of null are left out. */
export function AccountRow(props: {
  title: string;
  /** Beside the title, such as a pill. */
  mark?: ReactNode;
  facts: readonly ReactNode[];
  children?: ReactNode;
}) {
  const { title, mark, facts, children } = props;
  return (
    <li>
      <div>
        <p className="row">
          <span className="b clip" title={title}>
            {title}
          </span>
          {mark}
        </p>
        <p className="xs dim wrap account-facts">
          {facts.map((fact, index) =>
            // The facts of a row are always the same ones, in one order.
            fact === null ? null : <span key={index}>{fact}</span>,
          )}
        </p>
      </div>
      <div className="acts">{children}</div>
    </li>
  );
}
