import { useState, type ReactNode } from 'react';
import { useChange } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { deletePostMortem, setPostMortem } from '../../client/sdk.gen.ts';
import type { AnnouncementDetail } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { Form, TextArea, Tick } from '../../parts/form.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';

/** What was learned from an incident: a draft for the team until it is published. */
export function PostMortemCard({
  announcement,
  onChanged,
}: {
  announcement: AnnouncementDetail;
  onChanged: () => void;
}): ReactNode {
  const w = words.statusPages;
  const canEdit = useSession().isAtLeast('editor');
  const { id, post_mortem, ended_at } = announcement;
  const [text, setText] = useState(post_mortem?.text ?? '');
  const [publish, setPublish] = useState(post_mortem !== null && post_mortem.published_at !== null);
  const [isOpen, setOpen] = useState(false);
  const save = useChange(
    () => setPostMortem({ path: { id }, body: { text, publish } }),
    ['announcements'],
  );
  const remove = useChange(() => deletePostMortem({ path: { id } }), ['announcements']);
  const askToDelete = () =>
    confirm({
      title: w.deletePostMortem,
      text: w.deletePostMortemText,
      action: words.common.delete,
      onConfirm: async () => {
        await remove.mutateAsync(undefined);
        setText('');
        setPublish(false);
        onChanged();
      },
    });
  if (!canEdit && post_mortem === null) return null;
  return (
    <Card
      title={w.postMortem}
      aside={
        canEdit &&
        !isOpen && (
          <Button icon="edit" onClick={() => setOpen(true)}>
            {post_mortem === null ? w.writePostMortem : words.common.edit}
          </Button>
        )
      }
    >
      {isOpen ? (
        <Form
          submit={words.common.save}
          onCancel={() => setOpen(false)}
          onSubmit={async () => {
            await save.mutateAsync(undefined);
            onChanged();
            say(publish ? w.postMortemPublished : w.draftSaved);
            setOpen(false);
          }}
        >
          <div className="pad gap">
            <TextArea
              name="text"
              label={w.text}
              hint={w.markdownHint}
              rows={8}
              value={text}
              onChange={setText}
            />
            <Tick
              name="publish"
              label={w.publishPostMortem}
              hint={ended_at === null ? w.publishAfterEnd : undefined}
              checked={publish}
              disabled={ended_at === null}
              onChange={setPublish}
            />
          </div>
        </Form>
      ) : (
        <div className="sp-body">
          {post_mortem === null ? (
            <p className="dim">{w.noPostMortem}</p>
          ) : (
            <>
              <p>
                <span className="pill">
                  {post_mortem.published_at === null ? w.draft : w.visible}
                </span>
              </p>
              <Markdown text={post_mortem.text} />
              {canEdit && (
                <p>
                  <Button look="danger" icon="trash" onClick={askToDelete}>
                    {words.common.delete}
                  </Button>
                </p>
              )}
            </>
          )}
        </div>
      )}
    </Card>
  );
}
