import { useState } from 'react';
import { words } from '../words/index.ts';
import { Button } from './button.tsx';

/** Copies a text; without permission to the clipboard it selects nothing and returns false. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** The clipboard needs HTTPS; this way works over plain HTTP too. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'vh';
  document.body.append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  return isDone;
}

/** Button that copies a text, and says so. */
export function CopyButton({ text, label = words.common.copy }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Button
      icon={isCopied ? 'check' : 'copy'}
      onClick={async () => {
        setCopied(await copyText(text));
        setTimeout(() => setCopied(false), 2_000);
      }}
    >
      <span aria-live="polite">{isCopied ? words.common.copied : label}</span>
    </Button>
  );
}

/** Text in one line with a button that copies it. */
export function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <div className="line copied">
      <input
        className="control mono"
        readOnly
        value={text}
        aria-label={label}
        onFocus={(event) => event.target.select()}
      />
      <CopyButton text={text} />
    </div>
  );
}
