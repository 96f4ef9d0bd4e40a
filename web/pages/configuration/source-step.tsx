import { useState } from 'react';
import { ApiError, call, type BodyOf, type ImportedConfiguration } from '../../app/client.ts';
import type { IMPORTERS } from '../../app/importers.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { Form, Input, TextArea, useForm } from '../../parts/form.tsx';
import { WithCode } from '../../parts/markdown.tsx';
import { Card, PageHead } from '../../parts/page.tsx';
import { words } from '../../words/index.ts';

export type Service = (typeof IMPORTERS)[number];

/** Result of reading a file of another service. */
export type Source = ImportedConfiguration;

interface Chosen {
  /** Name of the first file, or of the database among them. */
  name: string;
  files: number;
  text: string;
  /** Why it can't be read here. */
  refusal: 'database' | 'tooLarge' | null;
}

/** Maximum size of a request. */
const MAX_BYTES = 4 * 1024 * 1024;
const SQLITE_HEAD = 'SQLite format 3\0';

/** Takes the file of a service, or its contents. */
export function SourceStep(props: {
  service: Service;
  onBack: () => void;
  onRead: (source: Source) => void;
}) {
  const { service, onBack, onRead } = props;
  const { imports } = words;
  const { name, title, takes } = service;
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const { draft, form } = useForm(null, { text: '', team: '' });
  const [isReading, setReading] = useState(false);
  const read = async () => {
    const text = chosen?.text ?? draft.text;
    const file = chosen?.name ?? imports.pasted;
    const body = { service: name, file, text, team: draft.team } as BodyOf<'importConfiguration'>;
    // Quotes of a JSON file take two bytes each in the request.
    if (chosen?.refusal === 'tooLarge' || new Blob([JSON.stringify(body)]).size > MAX_BYTES)
      throw textError(imports.tooLarge);
    if (text.trim() === '') throw textError(imports.nothing);
    setReading(true);
    try {
      onRead(await call('importConfiguration', { body }));
    } finally {
      setReading(false);
    }
  };
  const fileName = chosen?.name ?? '';
  return (
    <>
      <PageHead
        title={imports.from(title)}
        text={<WithCode text={imports.takes[name] ?? takes} />}
      />
      <Card className="narrow">
        <fieldset className="fieldset">
          <label className="input">
            <span className="label">{imports.file}</span>
            <input
              type="file"
              multiple
              onChange={async ({ target }) => setChosen(await open([...(target.files ?? [])]))}
            />
          </label>
          {chosen?.refusal === 'database' && (
            <div role="alert" className="gap">
              <p className="dim">
                <WithCode text={imports.database(fileName)} />
              </p>
              <Copyable
                label={imports.command}
                text={`tocsin import ${name} ${quoted(fileName)}`}
              />
            </div>
          )}
        </fieldset>
        <Form
          {...form}
          key={fileName}
          submit={imports.read}
          isHeld={chosen?.refusal === 'database'}
          onSubmit={read}
          actions={<Button onClick={onBack}>{words.terms.back}</Button>}
        >
          <fieldset className="fieldset">
            <TextArea
              name="text"
              label={imports.contents}
              hint={
                chosen === null
                  ? imports.contentsHint
                  : chosen.refusal === null && imports.fileFirst(fileName, chosen.files)
              }
              className="control mono"
              rows={8}
              spellCheck={false}
              readOnly={chosen !== null}
            />
            {name === 'tocsin' && (
              <Input name="team" label={words.nav.team} hint={imports.teamHint} />
            )}
            <p className="dim" role="status">
              {isReading && imports.reading}
            </p>
          </fieldset>
        </Form>
      </Card>
    </>
  );
}

const textError = (message: string) => new ApiError(422, { errors: { text: [message] } });

/** Files one after another, as importers read them; null without any. */
async function open(files: readonly File[]): Promise<Chosen | null> {
  const [first] = files;
  if (first === undefined) return null;
  const count = files.length;
  for (const file of files) {
    const head = await file.slice(0, SQLITE_HEAD.length).text();
    if (head === SQLITE_HEAD)
      return { name: file.name, files: count, text: '', refusal: 'database' };
  }
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > MAX_BYTES) return { name: first.name, files: count, text: '', refusal: 'tooLarge' };
  const texts = await Promise.all(files.map((file) => file.text()));
  const isYaml = files.every(({ name }) => /\.ya?ml$/i.test(name));
  const text = texts.join(isYaml ? '\n---\n' : '\n');
  return { name: first.name, files: count, text, refusal: null };
}

/** A name of a file in a line of a shell. */
function quoted(name: string): string {
  return /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;
}
