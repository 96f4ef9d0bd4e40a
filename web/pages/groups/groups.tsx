import { useMemo, useState, type DragEvent, type ReactNode } from 'react';
import { useRead } from '../../app/api.ts';
import { type Group } from '../../app/client.ts';
import { collection } from '../../app/collection.ts';
import { useOverview } from '../../app/overview.ts';
import { useSession } from '../../app/session.ts';
import { GROUP } from '../../app/fields.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Entry } from '../../parts/entry.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { ChooseId, Input, TextArea, useForm } from '../../parts/form.tsx';
import { Mark, openKept, useKeptList } from '../../parts/kept.tsx';
import { Card, Empty, isLoaded, Loading, NeedsRole, PageHead } from '../../parts/page.tsx';
import { DELETE, MoreMenu } from '../../parts/menu.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { words } from '../../words/index.ts';
import { displayStatusOfAll, rowsOf } from '../monitors/rows.ts';
import { groupAside } from '../monitors/sentences.ts';
import { parentsFor, siblingsOf, treeOf, type GroupNode } from './tree.ts';

const { groups: texts } = words;

const groupCollection = collection('Group', {
  concerns: ['monitors'],
});

/** Groups of monitors: where is something down? */
export default function GroupsPage() {
  const mayChange = useSession().isAtLeast('editor');
  const read = useRead('listGroups');
  const overview = useOverview();
  const kept = useKeptList('groups');
  const tree = useMemo(
    () => treeOf(read.data?.data ?? [], rowsOf(overview.data ?? { monitors: [] })),
    [read.data, overview.data],
  );
  if (!isLoaded(read) || !isLoaded(overview)) return <Loading reads={[read, overview]} lines={6} />;
  const all = read.data.data;
  const edit = (group: Group | null) =>
    openKept('groups', group?.id ?? null, (onClose) => (
      <GroupDialog group={group} groups={all} onClose={onClose} />
    ));
  const down = tree.filter(({ rows }) => displayStatusOfAll(rows) === 'offline').length;
  return (
    <>
      <PageHead
        {...(down > 0 && { displayStatus: 'offline' as const })}
        title={
          down > 0
            ? texts.down(down)
            : all.length === 0
              ? texts.emptyTitle
              : texts.count(all.length)
        }
        tabTitle={words.nav.groups}
        text={texts.headText}
        actions={
          mayChange && (
            <Button look="primary" icon="plus" onClick={() => edit(null)}>
              {texts.new}
            </Button>
          )
        }
      />
      <Card>
        {all.length === 0 ? (
          <Empty
            title={texts.emptyTitle}
            text={mayChange ? texts.emptyText : <NeedsRole least="editor" />}
          />
        ) : (
          <Nodes nodes={tree} kept={kept} onEdit={mayChange ? edit : null} />
        )}
      </Card>
    </>
  );
}

interface RowsProps {
  kept: ReturnType<typeof useKeptList>;
  /** Null for people who may not change groups. */
  onEdit: ((group: Group) => void) | null;
}

/** Groups beside each other. They are dragged to another place, or moved there by their menus. */
function Nodes({ nodes, ...props }: RowsProps & { nodes: readonly GroupNode[] }): ReactNode {
  /** Places of the group that is dragged, and of the one below the pointer. */
  const [drag, setDrag] = useState<{ from: number; over: number } | null>(null);
  const move = (index: number, by: number) =>
    void groupCollection.move(
      nodes.map(({ group }) => group),
      index,
      by,
      // The API replaces whole groups.
      (one, place) => ({ ...settingsOf(one), sort_order: place }),
    );
  const dragHandlers = (index: number) => ({
    onDragStart: (event: DragEvent) => {
      // A group moves among those beside it.
      event.stopPropagation();
      if (props.onEdit !== null) setDrag({ from: index, over: index });
    },
    onDragOver: (event: DragEvent) => {
      if (drag === null) return;
      event.preventDefault();
      if (drag.over !== index) setDrag({ ...drag, over: index });
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      if (drag !== null && drag.from !== index) move(drag.from, index - drag.from);
    },
    onDragEnd: () => setDrag(null),
  });
  return (
    <ul className="entry-list groups-list">
      {nodes.map((node, index) => (
        <li
          key={node.group.id}
          className={drag?.over === index && drag.from !== index ? 'drop' : ''}
          draggable={props.onEdit !== null}
          {...dragHandlers(index)}
        >
          <GroupRow
            node={node}
            {...props}
            onMove={(by) => move(index, by)}
            place={index}
            last={nodes.length - 1}
          />
          {node.children.length > 0 && <Nodes nodes={node.children} {...props} />}
        </li>
      ))}
    </ul>
  );
}

function GroupRow(
  props: RowsProps & {
    node: GroupNode;
    onMove: (by: number) => void;
    /** Among those beside it, and the place of the last one. */
    place: number;
    last: number;
  },
) {
  const { node, kept, onEdit, onMove, place, last } = props;
  const { group, rows, children } = node;
  const { id, name, description, monitors_count: monitors } = group;
  const { down, rest } = groupAside(rows);
  return (
    <Entry
      as="div"
      shape={<StatusShape displayStatus={displayStatusOfAll(rows) ?? 'pending'} />}
      name={name}
      href={`/monitors?group=${id}`}
      at={
        <>
          {down !== '' && <span className="down">{down} · </span>}
          {rest !== '' && `${rest} · `}
          {texts.monitors(rows.length)}
        </>
      }
      acts={
        onEdit !== null && (
          <MoreMenu
            look="ghost"
            label={words.common.actionsFor(name)}
            items={() => [
              { text: words.common.edit, icon: 'edit', onSelect: () => onEdit(group) },
              {
                text: words.labels.moveUp(name),
                icon: 'up',
                isDisabled: place === 0,
                onSelect: () => onMove(-1),
              },
              {
                text: words.labels.moveDown(name),
                icon: 'down',
                isDisabled: place === last,
                onSelect: () => onMove(1),
              },
              'line',
              {
                ...DELETE,
                onSelect: () =>
                  groupCollection.askToDelete(group, {
                    text: texts.deleteText(monitors, children.length),
                  }),
              },
            ]}
          />
        )
      }
    >
      {description !== null && <p className="sub">{description}</p>}
      <Mark keeper={kept.get(id)} />
    </Entry>
  );
}

function settingsOf({ name, description, parent_id, sort_order }: Group) {
  return { name, description, parent_id, sort_order };
}

/** Creates, renames or moves a group. `group` is null for a new one. */
function GroupDialog(props: {
  group: Group | null;
  groups: readonly Group[];
  onClose: () => void;
}) {
  const { group, groups, onClose } = props;
  const { draft, form } = useForm(GROUP, {
    name: group?.name ?? '',
    description: group?.description ?? '',
    parent_id: group?.parent_id ?? null,
  });
  const save = async () => {
    const { parent_id, description } = draft;
    // A new group, and one that moves, comes last.
    const last = siblingsOf(groups, parent_id).at(-1)?.sort_order ?? -1;
    const isStaying = group !== null && group.parent_id === parent_id;
    await groupCollection.save(group?.id ?? null, {
      name: draft.name.trim(),
      description: description.trim() === '' ? null : description,
      parent_id,
      sort_order: isStaying ? group.sort_order : last + 1,
    });
  };
  return (
    <FormDialog
      title={group === null ? texts.new : texts.edit}
      submit={group === null ? texts.create : words.common.save}
      {...form}
      onSubmit={save}
      onClose={onClose}
    >
      <fieldset className="fieldset">
        <Input name="name" label={words.labels.name} />
        <TextArea name="description" label={words.terms.description} isOptional />
        <ChooseId
          name="parent_id"
          label={texts.parent}
          hint={texts.parentHint}
          none={texts.noParent}
          all={parentsFor(groups, group?.id ?? null)}
        />
      </fieldset>
    </FormDialog>
  );
}
