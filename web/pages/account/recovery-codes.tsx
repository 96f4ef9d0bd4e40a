import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { words } from '../../words/index.ts';

/** Codes that replace the authenticator once each, shown until the person closes them. */
export function RecoveryCodes({
  codes,
  onClose,
}: {
  codes: readonly string[];
  onClose: () => void;
}): ReactNode {
  const { factor } = words.account;
  const heading = useRef<HTMLParagraphElement>(null);
  // The form that made them is gone, and the focus with it.
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="account-once" role="status">
      <p className="b" tabIndex={-1} ref={heading}>
        {factor.saveCodes}
      </p>
      <p className="dim">{factor.codesHint}</p>
      <pre>{codes.join('\n')}</pre>
      <div className="row">
        <CopyButton text={codes.join('\n')} label={factor.copyCodes} />
        <Button onClick={onClose}>{factor.codesSaved}</Button>
      </div>
    </div>
  );
}
