import type { Ref } from 'react';
import { Icon } from './icon.tsx';

/** Progress through named steps; `step` is the index of the current one. It takes the focus by `ref`. */
export function Steps(props: {
  names: readonly string[];
  step: number;
  ref?: Ref<HTMLOListElement>;
}) {
  const { names, step, ref } = props;
  return (
    <ol className="row faint st-steps" ref={ref} tabIndex={-1}>
      {names.map((name, index) => (
        <li
          key={name}
          className={index < step ? 'near dim' : 'near'}
          aria-current={index === step ? 'step' : undefined}
        >
          {index < step ? <Icon name="check" /> : <span className="st-dot" aria-hidden="true" />}
          {name}
        </li>
      ))}
    </ol>
  );
}
