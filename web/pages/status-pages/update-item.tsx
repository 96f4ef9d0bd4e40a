import { useRead } from '../../app/api.ts';
import { call, type AnnouncementDetail, type AnnouncementUpdate } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { confirm, Dialog, openDialog } from '../../parts/dialog.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { DELETE, MoreMenu, type MenuRequest } from '../../parts/menu.tsx';
import { Loading } from '../../parts/page.tsx';
import { DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { EditUpdateDialog } from './announcement-dialogs.tsx';
import { announced } from './preview.tsx';

/** An update as visitors read it, with what can be done to it. */
export function UpdateItem(props: {
  announcement: AnnouncementDetail;
  update: AnnouncementUpdate;
  /** The only update goes with its announcement. */
  canDelete: boolean;
}) {
  const { announcement, update, canDelete } = props;
  const w = words.statusPages;
  const canEdit = useSession().isAtLeast('editor');
  const path = { id: announcement.id, update: update.id };
  const askToDelete = () =>
    confirm({
      title: w.deleteUpdate,
      text: w.deleteUpdateText,
      action: words.common.delete,
      onConfirm: () => announced(call('deleteAnnouncementUpdate', { path }), w.deletedUpdate),
    });
  const actions: MenuRequest['items'] = [
    {
      text: words.common.edit,
      icon: 'edit',
      onSelect: () =>
        openDialog((onClose) => <EditUpdateDialog {...{ announcement, update, onClose }} />),
    },
    {
      text: w.versions,
      icon: 'clock',
      isDisabled: update.edited_at === null,
      onSelect: () => openDialog((onClose) => <VersionsDialog {...{ path, onClose }} />),
    },
    'line',
    { ...DELETE, isDisabled: !canDelete, onSelect: askToDelete },
  ];
  return (
    <li>
      <span className="k">
        <span className="node" />
      </span>
      <div className="beside sp-update">
        <div className="grow">
          <p className="b">{w.states[update.state]}</p>
          {update.text === null ? (
            <p className="dim">{w.noText}</p>
          ) : (
            <Markdown text={update.text} />
          )}
          <DayTime time={update.created_at} />
          {update.edited_at !== null && <span className="xs faint"> · {w.edited}</span>}
          {update.user_id === null && <span className="xs faint"> · {w.automatic}</span>}
        </div>
        {canEdit && <MoreMenu look="ghost" label={w.updateActions} items={() => actions} />}
      </div>
    </li>
  );
}

/** What an update said before it was edited. */
function VersionsDialog(props: { path: { id: number; update: number }; onClose: () => void }) {
  const { path, onClose } = props;
  const w = words.statusPages;
  const found = useRead('listAnnouncementUpdateVersions', { path });
  return (
    <Dialog title={w.versions} onClose={onClose}>
      <Loading reads={[found]} lines={2} />
      <ol className="tl">
        {found.data?.data.map(({ number, state, text, replaced_at }) => (
          <li key={number}>
            <span className="k">
              <span className="node" />
            </span>
            <p className="b">{w.states[state]}</p>
            {text !== null && <Markdown text={text} />}
            <p className="xs dim">
              {w.replaced} <DayTime time={replaced_at} />
            </p>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
