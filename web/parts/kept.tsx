import { useEffect, useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import { Link } from 'wouter';
import { useRead } from '../app/api.ts';
import type { QueryOf } from '../app/client.ts';
import { words } from '../words/index.ts';
import { Confirm, openDialog } from './dialog.tsx';
import { Icon } from './icon.tsx';

/** Lists of a document, such as `monitors`. */
export type Section = NonNullable<QueryOf<'listConfigurationItems'>['section']>;

type Keeper = Pick<KeptItem, 'set' | 'key'>;
interface KeptItem {
  set: string;
  key: string;
  id: number;
}

/** Items of a section that configuration sets own, by the ids of the things. */
export function useKeptList(section: Section): ReadonlyMap<number, Keeper> {
  const read = useRead('listConfigurationItems', { query: { section } });
  return new Map(read.data?.data.map((item) => [item.id, item]));
}

/** The set that owns a thing; null for none, and when it can't be read; undefined while it is being read. */
function useKeeper(section: Section, id: number | null): Keeper | null | undefined {
  const query = { section, id: id ?? 0 };
  const read = useRead('listConfigurationItems', { query }, { enabled: id !== null });
  if (id === null || read.isError) return null;
  return read.data === undefined ? undefined : (read.data.data[0] ?? null);
}

/** Mark of a thing that a configuration set owns, linked to all sets; nothing for another one. */
export function KeptMark({ section, id }: { section: Section; id: number }) {
  const keeper = useKeeper(section, id) ?? undefined;
  return (
    keeper && (
      <Link href="/configuration">
        <Mark keeper={keeper} />
      </Link>
    )
  );
}

/** Name of the set that owns something. */
export function Mark({ keeper }: { keeper: Keeper | undefined }) {
  if (keeper === undefined) return null;
  const text = words.kept.mark(keeper.set, keeper.key);
  return (
    <span className="row xs dim" title={text}>
      <Icon name="configuration" />
      <span aria-hidden="true">{keeper.set}</span>
      <span className="vh">{text}</span>
    </span>
  );
}

/**
 * A form of a thing. If a configuration set owns it, the next apply undoes a change, so the form asks once: with `onCancel`,
 * before it is shown; else at the first change, which Cancel takes back.
 *
 * @param props.id null for a new thing.
 */
export function KeptGate(props: {
  section: Section;
  id: number | null;
  onCancel?: () => void;
  children: ReactNode;
}) {
  const { section, id, onCancel, children } = props;
  const keeper = useKeeper(section, id);
  const [isAllowed, setAllowed] = useState(false);
  const [isAsking, setAsking] = useState(false);
  /** A new number discards drafts. */
  const [visit, setVisit] = useState(0);
  /** Form that was about to be sent. */
  const sent = useRef<HTMLFormElement>(null);
  const block = useRef<HTMLDivElement>(null);
  /** Name of the field that was about to be changed. */
  const field = useRef<string>(null);
  // The field that had the focus went with the drafts.
  useEffect(() => {
    if (visit === 0) return;
    const again = block.current?.querySelector<HTMLElement>(`[name="${field.current}"]`);
    (again ?? block.current)?.focus();
  }, [visit]);
  const question = keeper != null && (
    <Confirm
      title={words.kept.title}
      text={words.kept.text(words.items[section].named, keeper.set)}
      action={words.kept.change}
      look="primary"
      onConfirm={async () => {
        setAllowed(true);
        setAsking(false);
        // Once the question is closed.
        const form = sent.current;
        setTimeout(() => form?.requestSubmit());
      }}
      onCancel={() => {
        setAsking(false);
        setVisit(visit + 1);
        onCancel?.();
      }}
      onClose={() => {}}
    />
  );
  if (onCancel !== undefined) {
    if (keeper === undefined) return null;
    return keeper === null || isAllowed ? children : question;
  }
  const ask = (event: SyntheticEvent, form: HTMLFormElement | null) => {
    const isSearch = event.target instanceof HTMLInputElement && event.target.type === 'search';
    if (keeper == null || isAllowed || isSearch) return;
    if (form !== null) {
      event.preventDefault();
      event.stopPropagation();
    }
    sent.current = form;
    field.current = (event.target as Element).getAttribute('name');
    setAsking(true);
  };
  return (
    <div
      key={visit}
      ref={block}
      tabIndex={-1}
      className="stack"
      onChangeCapture={(event) => ask(event, null)}
      onSubmitCapture={(event) => ask(event, event.target as HTMLFormElement)}
    >
      {children}
      {isAsking && question}
    </div>
  );
}

/** Opens the form of a thing in a dialog, once a person has answered what KeptGate asks. @param id null for a new thing. */
export function openKept(
  section: Section,
  id: number | null,
  render: (onClose: () => void) => ReactNode,
): void {
  openDialog((onClose) => (
    <KeptGate section={section} id={id} onCancel={onClose}>
      {render(onClose)}
    </KeptGate>
  ));
}
