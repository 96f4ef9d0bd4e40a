import { Icon } from './icon.tsx';

/** Names of steps one after another, of which `step` is where one is. */
export function Steps({ names, step }: { names: readonly string[]; step: number }) {
  return (
    <ol className="st-steps">
      {names.map((name, index) => (
        <li
          key={name}
          className={index < step ? 'done' : ''}
          aria-current={index === step ? 'step' : undefined}
        >
          {index < step ? <Icon name="check" /> : <span className="st-dot" aria-hidden="true" />}
          {name}
        </li>
      ))}
    </ol>
  );
}
