import { DDL, type Engine } from '../dialect.ts';

/** What teams keep in files: sets, and the things that each of them owns. */
export function configurationSets(engine: Engine): string[] {
  const { identity, integer, text, strict, strictByKey } = DDL[engine];
  return [
    `create table configuration_set (
      id ${identity}, team_id ${integer} not null references team (id) on delete cascade,
      name ${text} not null,
      created_at ${integer} not null,
      -- When it was last applied, and by whom: a name and an e-mail address.
      applied_at ${integer} not null, applied_by ${text} not null
    ) ${strict}`,
    `create unique index configuration_set_name on configuration_set (team_id, name)`,
    `create table configuration_item (
      set_id ${integer} not null references configuration_set (id) on delete cascade,
      -- Kind of the thing as in the audit log, and its key in the set.
      kind ${text} not null, key ${text} not null,
      -- Its id; nothing is there any more where it was deleted.
      resource_id ${integer} not null,
      -- JSON of its fields as the set left them, without secrets.
      applied ${text} not null,
      primary key (set_id, kind, key)
    ) ${strictByKey}`,
    // A thing has one owner.
    `create unique index configuration_item_resource on configuration_item (kind, resource_id)`,
  ];
}
