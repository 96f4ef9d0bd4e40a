import { Icon } from './icon.tsx';

/** Progress through named steps; `step` is the index of the current one. */
export function Steps({ names, step }: { names: readonly string[]; step: number }) {
  return (
    <ol className="row faint st-steps">
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
