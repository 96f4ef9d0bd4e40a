import { useState, type ReactNode } from 'react';
import { useChange } from '../../app/api.ts';
import { importSubscribers } from '../../client/sdk.gen.ts';
import type { StatusPage, SubscriberImport } from '../../client/types.gen.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, Input, TextArea } from '../../parts/form.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';

/** Adds people from a CSV file. Looks at it first: nothing is sent before the result was seen. */
export function ImportDialog({
  page,
  onClose,
}: {
  page: StatusPage;
  onClose: () => void;
}): ReactNode {
  const w = words.statusPages;
  const [csv, setCsv] = useState('');
  const [consent, setConsent] = useState('');
  const [result, setResult] = useState<SubscriberImport | null>(null);
  const send = useChange(
    (dry_run: boolean) =>
      importSubscribers({
        path: { id: page.id },
        body: { csv, dry_run, ...(consent.trim() !== '' && { consent }) },
      }),
    ['status-pages'],
  );
  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    setResult(null);
  };
  return (
    <Dialog title={w.import} onClose={onClose}>
      <Form
        submit={result === null ? w.checkFile : w.importCount(result.added)}
        onCancel={onClose}
        onSubmit={async () => {
          const answer = await send.mutateAsync(result === null);
          if (answer.dry_run) return setResult(answer);
          say(w.imported(answer.added));
          return onClose();
        }}
      >
        <div className="gap sp-dialog">
          <FileField onRead={change(setCsv)} />
          <TextArea
            name="csv"
            label={w.csv}
            hint={w.csvHint}
            className="control mono"
            rows={6}
            placeholder={'address\nada@example.com'}
            value={csv}
            onChange={change(setCsv)}
          />
          <Input
            name="consent"
            label={w.consent}
            hint={w.consentHint}
            isOptional
            value={consent}
            onChange={change(setConsent)}
          />
          {result !== null && <ImportResult result={result} />}
        </div>
      </Form>
    </Dialog>
  );
}

function FileField({ onRead }: { onRead: (text: string) => void }): ReactNode {
  const w = words.statusPages;
  return (
    <label className="input">
      <span className="label">{w.file}</span>
      <input
        type="file"
        accept=".csv,text/csv,text/plain"
        onChange={async ({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) onRead(await file.text());
        }}
      />
    </label>
  );
}

/** What an import would do, with the lines that it refuses. */
function ImportResult({ result }: { result: SubscriberImport }): ReactNode {
  const w = words.statusPages;
  const refused = result.rows.filter(({ outcome }) => outcome === 'refused').slice(0, 20);
  return (
    <div className="notice" role="status">
      <p>{w.importResult(result.added, result.known, result.refused)}</p>
      <ul>
        {refused.map(({ line, reason }) => (
          <li key={line}>
            {w.line(line)}: {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}
