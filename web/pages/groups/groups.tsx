import { useMemo, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { ask, queries, useRead } from '../../app/api.ts';
import { useOverview } from '../../app/overview.ts';
import { useSession } from '../../app/session.tsx';
import { deleteGroup, listGroups, updateGroup } from '../../client/sdk.gen.ts';
import type { Group } from '../../client/types.gen.ts';
import { moved } from '../../lib/order.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { Empty, Failure, Waiting } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { say, sayError } from '../../parts/toast.tsx';
import { NeedsRole } from '../../parts/needs-role.tsx';
import { words } from '../../words/index.ts';
import { rowsOf, standingOfAll } from '../monitors/rows.ts';
import { groupAside } from '../monitors/sentences.ts';
import { GroupDialog } from './group-dialog.tsx';
import { siblingsOf, treeOf, type GroupNode } from './tree.ts';

/** Groups of monitors: where is something down? */
export default function GroupsPage(): ReactNode {
  const { isAtLeast } = useSession();
  /** Group in the dialog; 'new' for a new one. */
  const [open, setOpen] = useState<Group | 'new' | null>(null);
  const read = useRead(['groups'], () => listGroups());
  const overview = useOverview();
  const tree = useMemo(
    () => treeOf(read.data?.data ?? [], rowsOf(overview.data ?? { monitors: [] })),
    [read.data, overview.data],
  );
  const failed = read.error ?? overview.error;
  if (failed) return <Failure error={failed} retry={() => void read.refetch()} />;
  if (read.data === undefined || overview.data === undefined) return <Waiting lines={6} />;
  const { groups: texts } = words;
  const all = read.data.data;
  const down = tree.filter(({ rows }) => standingOfAll(rows) === 'offline').length;
  const mayChange = isAtLeast('editor');
  return (
    <>
      <PageHead
        {...(down > 0 && { standing: 'offline' as const })}
        title={
          down > 0
            ? texts.down(down)
            : all.length === 0
              ? texts.emptyTitle
              : texts.count(all.length)
        }
        tabTitle={texts.title}
        text={texts.headText}
        actions={
          mayChange && (
            <Button look="primary" icon="plus" onClick={() => setOpen('new')}>
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
          <Nodes nodes={tree} groups={all} onEdit={mayChange ? setOpen : null} />
        )}
      </Card>
      {open !== null && (
        <GroupDialog
          group={open === 'new' ? null : open}
          groups={all}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

interface NodesProps {
  nodes: readonly GroupNode[];
  groups: readonly Group[];
  /** Null for people who may not change groups. */
  onEdit: ((group: Group) => void) | null;
}

function Nodes({ nodes, groups, onEdit }: NodesProps): ReactNode {
  return (
    <ul className="entry-list groups-list">
      {nodes.map((node) => (
        <li key={node.group.id}>
          <GroupRow node={node} groups={groups} onEdit={onEdit} />
          {node.children.length > 0 && (
            <Nodes nodes={node.children} groups={groups} onEdit={onEdit} />
          )}
        </li>
      ))}
    </ul>
  );
}

function GroupRow({
  node,
  groups,
  onEdit,
}: {
  node: GroupNode;
  groups: readonly Group[];
  onEdit: NodesProps['onEdit'];
}): ReactNode {
  const { groups: texts } = words;
  const { group, rows, children } = node;
  const { id, name, description, parent_id: parent } = group;
  const siblings = siblingsOf(groups, parent);
  const index = siblings.findIndex((one) => one.id === id);
  const { down, rest } = groupAside(rows);
  return (
    <div className="entry has-acts">
      <StatusShape standing={standingOfAll(rows) ?? 'pending'} />
      <div>
        <p className="name">
          <Link href={`/monitors?group=${id}`} className="clip" title={name}>
            {name}
          </Link>
        </p>
        {description !== null && <p className="sub">{description}</p>}
      </div>
      <p className="at">
        {down !== '' && <span className="down">{down} · </span>}
        {rest !== '' && `${rest} · `}
        {texts.monitors(rows.length)}
      </p>
      <div className="acts">
        {onEdit !== null && (
          <>
            <IconButton
              look="ghost"
              icon="up"
              label={texts.up(name)}
              isBusy={index === 0}
              onClick={() => void move(siblings, index, -1)}
            />
            <IconButton
              look="ghost"
              icon="down"
              label={texts.moveDown(name)}
              isBusy={index === siblings.length - 1}
              onClick={() => void move(siblings, index, 1)}
            />
            <IconButton
              look="ghost"
              icon="edit"
              label={`${words.common.edit}: ${name}`}
              onClick={() => onEdit(group)}
            />
            <IconButton
              look="ghost"
              icon="trash"
              label={`${words.common.delete}: ${name}`}
              onClick={() => askToDelete(group, children.length)}
            />
          </>
        )}
      </div>
    </div>
  );
}

/** Writes the places of those groups that change theirs. The API replaces whole groups. */
async function move(siblings: readonly Group[], index: number, by: -1 | 1): Promise<void> {
  const { id: movedId, name } = siblings[index]!;
  const next = moved(siblings, index, by);
  try {
    for (const [place, group] of next.entries()) {
      const { id, description, parent_id, sort_order } = group;
      const body = { name: group.name, description, parent_id, sort_order: place };
      if (sort_order !== place) await ask(updateGroup({ path: { id }, body }));
    }
    say(words.groups.moved(name, next.findIndex(({ id }) => id === movedId) + 1));
  } catch (error) {
    sayError(error);
  }
  await queries.invalidateQueries({ queryKey: ['groups'] });
}

function askToDelete({ id, name, monitors_count: monitors }: Group, subgroups: number): void {
  const { groups: texts } = words;
  confirm({
    title: texts.deleteTitle(name),
    text: texts.deleteText(monitors, subgroups),
    action: words.common.delete,
    onConfirm: async () => {
      await ask(deleteGroup({ path: { id } }));
      say(texts.deleted(name));
      await Promise.all(
        ['groups', 'monitors'].map((noun) => queries.invalidateQueries({ queryKey: [noun] })),
      );
    },
  });
}
