import type { ReactNode } from 'react';
import { moved } from '../lib/order.ts';
import { confirm } from '../parts/dialog.tsx';
import { attempt, showToast } from '../parts/toast.tsx';
import { words } from '../words/index.ts';
import { deleteShown, reread } from './api.ts';
import { call, type BodyOf, type OperationName } from './client.ts';
import { nounOf } from './read-key.ts';

/** Nouns of which a team keeps a list, by the names of their operations. */
type Noun = {
  [Name in OperationName]: Name extends `delete${infer One}`
    ? `create${One}` extends OperationName
      ? `update${One}` extends OperationName
        ? One
        : never
      : never
    : never;
}[OperationName];

interface Thing {
  id: number;
  name: string;
}

/** Messages about a thing with a name, where a noun has other ones than `words.dialog`. */
interface Texts {
  created?: (name: string) => string;
  saved?: (name: string) => string;
  deleteTitle?: (name: string) => string;
  deleteText?: unknown;
  /** Null for none. */
  deleted?: ((name: string) => string) | null;
}

/** An operation whose name is made of its verb and the noun. */
const callNoun = call as unknown as (name: string, input: object) => Promise<Thing>;

/**
 * What every page of a noun does with its things: it saves, moves and deletes them, says so, and reads again what shows them.
 *
 * @param noun as its operations name it: createGroup, updateGroup and deleteGroup.
 * @param concerns nouns of other data that shows it.
 */
export function collection<One extends Noun>(
  noun: One,
  { concerns = [], texts }: { concerns?: readonly string[]; texts?: () => Texts },
) {
  type Created = BodyOf<`create${One}`>;
  type Changed = BodyOf<`update${One}`>;
  const key = nounOf(`delete${noun}` as OperationName);
  const textsOf = () => ({ ...words.dialog, ...texts?.() });
  const rereadAll = () => reread(key, ...concerns);
  const update = (id: number, body: object) => callNoun(`update${noun}`, { path: { id }, body });
  return {
    reread: rereadAll,

    /** Creates a thing, or changes the one with this id. Throws an ApiError. */
    async save<Id extends number | null>(
      id: Id,
      body: [Id] extends [number] ? Changed : Created & Changed,
    ): Promise<Thing> {
      const saved = await (id === null ? callNoun(`create${noun}`, { body }) : update(id, body));
      const { created, saved: changed } = textsOf();
      showToast((id === null ? created : changed)(saved.name));
      void rereadAll();
      return saved;
    },

    /** Changes a part of a thing, or says why not. @param text what is said then. @param undo takes it back. */
    change(id: number, body: Changed, text: string, undo?: () => void): Promise<void> {
      return attempt(async () => {
        await update(id, body);
        await rereadAll();
        showToast(text, undo);
      });
    },

    /**
     * Writes the places of the things that change theirs when one of them moves up or down by some.
     *
     * @param bodyOf body that gives a thing its place.
     */
    async move<Placed extends Thing & { sort_order: number }>(
      all: readonly Placed[],
      index: number,
      by: number,
      bodyOf: (thing: Placed, place: number) => Changed,
    ): Promise<void> {
      const { id, name } = all[index]!;
      const next = moved(all, index, by);
      await attempt(async () => {
        for (const [place, one] of next.entries()) {
          if (one.sort_order !== place) await update(one.id, bodyOf(one, place));
        }
        return words.dialog.moved(name, next.findIndex((one) => one.id === id) + 1);
      });
      await rereadAll();
    },

    /**
     * Asks, then deletes a thing.
     *
     * @param options.text what will be lost, unless it is the same for all.
     * @param options.typed what must be typed first.
     * @param options.leave leaves the page of the thing once it is deleted.
     */
    askToDelete(
      { id, name }: Thing,
      { text, typed, leave }: { text?: ReactNode; typed?: string; leave?: () => void } = {},
    ): void {
      const { deleteTitle, deleteText, deleted } = textsOf();
      confirm({
        title: deleteTitle(name),
        text: text ?? String(deleteText),
        action: words.common.delete,
        typed,
        onConfirm: async () => {
          const remove = () => callNoun(`delete${noun}`, { path: { id } });
          await (leave === undefined ? remove() : deleteShown([key, id], remove));
          leave?.();
          if (deleted !== null) showToast(deleted(name));
          await rereadAll();
        },
      });
    },
  };
}
