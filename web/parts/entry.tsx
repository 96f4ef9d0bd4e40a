import type { ReactNode } from 'react';
import { Link } from 'wouter';

/** Row of a list: a shape, a name that opens something, lines below it, and at the right what is said and can be done. */
export function Entry(props: {
  as?: 'li' | 'div';
  shape: ReactNode;
  name: string;
  /** Page that the name leads to. */
  href?: string;
  onOpen?: () => void;
  at?: ReactNode;
  /** Buttons; false for a row without any in a list whose other rows have some. */
  acts?: ReactNode;
  children?: ReactNode;
}) {
  const { as: Tag = 'li', shape, name, href, onOpen, at, acts, children } = props;
  return (
    <Tag className={at !== undefined && acts !== undefined ? 'entry has-acts' : 'entry'}>
      {shape}
      <div>
        <p className="row b name">
          {href !== undefined ? (
            <Link href={href} className="clip" title={name}>
              {name}
            </Link>
          ) : onOpen === undefined ? (
            name
          ) : (
            <button type="button" className="name-button" onClick={onOpen}>
              {name}
            </button>
          )}
        </p>
        {children}
      </div>
      {at !== undefined && <p className="xs dim at">{at}</p>}
      {acts !== undefined && <div className="acts">{acts}</div>}
    </Tag>
  );
}
