import { useRead } from '../../app/api.ts';
import { type Wall } from '../../app/client.ts';
import { collection } from '../../app/collection.ts';
import { WALL } from '../../app/fields.gen.ts';
import { useSession } from '../../app/session.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { openDialog } from '../../parts/dialog.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Input, useForm } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Card, Empty, isLoaded, Loading, PageHead } from '../../parts/page.tsx';
import { words } from '../../words/index.ts';

const wallCollection = collection('Wall', {
  texts: () => ({ deleteText: words.walls.deleteText }),
});

/** Screens that show how the monitors are, each with its link. */
export default function WallsPage() {
  const w = words.walls;
  const canEdit = useSession().isAtLeast('editor');
  const read = useRead('listWalls');
  if (!isLoaded(read)) return <Loading reads={[read]} lines={3} />;
  const create = canEdit && (
    <Button icon="plus" look="primary" onClick={() => edit(null)}>
      {w.create}
    </Button>
  );
  const { data } = read.data;
  return (
    <>
      <PageHead title={words.nav.walls} text={w.text} actions={data.length > 0 && create} />
      <Card>
        {data.length === 0 && (
          <Empty title={w.empty} text={w.emptyHint}>
            {create}
          </Empty>
        )}
        <ul className="rows">
          {data.map((wall) => (
            <li key={wall.id}>
              <Icon name="pages" />
              <span className="b">{wall.name}</span>
              <span className="row">
                <a className="btn" href={wall.url} target="_blank" rel="noreferrer">
                  {words.terms.open}
                </a>
                <CopyButton text={wall.url} />
                {canEdit && (
                  <>
                    <IconButton
                      icon="edit"
                      label={words.labels.editNamed(wall.name)}
                      onClick={() => edit(wall)}
                    />
                    <IconButton
                      icon="trash"
                      label={words.labels.removeNamed(wall.name)}
                      onClick={() => wallCollection.askToDelete(wall)}
                    />
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}

const edit = (wall: Wall | null) =>
  openDialog((onClose) => <WallDialog wall={wall} onClose={onClose} />);

function WallDialog({ wall, onClose }: { wall: Wall | null; onClose: () => void }) {
  const w = words.walls;
  const { draft, form } = useForm(WALL, () => ({ name: wall?.name ?? '' }));
  return (
    <FormDialog
      {...form}
      title={wall === null ? w.create : words.labels.editNamed(wall.name)}
      onClose={onClose}
      onSubmit={() => wallCollection.save(wall?.id ?? null, draft)}
    >
      <Input name="name" label={words.labels.name} hint={w.nameHint} />
    </FormDialog>
  );
}
