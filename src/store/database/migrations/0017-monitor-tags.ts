import { DDL, type Engine } from '../dialect.ts';

/**
 * The tags of each monitor as rows, so that a list by tag reads what matches and nothing else. Triggers keep them equal to
 * `monitor.tags`, whoever writes it.
 */
export function monitorTags(engine: Engine): string[] {
  const { integer, text, strictByKey } = DDL[engine];
  return [
    `create table monitor_tag (
      monitor_id ${integer} not null references monitor (id) on delete cascade,
      tag ${text} not null, team_id ${integer} not null, primary key (monitor_id, tag)
    ) ${strictByKey}`,
    `insert into monitor_tag (monitor_id, tag, team_id) select distinct monitor.id, ${ELEMENT[engine]}, team_id
      from monitor, ${elementsOf(engine, 'monitor.tags')} where tags <> '[]'`,
    `create index monitor_tag_of_team on monitor_tag (team_id, tag, monitor_id)`,
    ...(engine === 'sqlite' ? SQLITE_TRIGGERS : POSTGRES_TRIGGERS),
  ];
}

const ELEMENT = { sqlite: 'json_each.value', postgres: 'element.tag' };

function elementsOf(engine: Engine, tags: string): string {
  return engine === 'sqlite'
    ? `json_each(${tags})`
    : `jsonb_array_elements_text(${tags}::jsonb) as element (tag)`;
}

/** A tag may be listed twice. */
const insertNew = (engine: Engine) => `insert into monitor_tag (monitor_id, tag, team_id)
  select distinct new.id, ${ELEMENT[engine]}, new.team_id from ${elementsOf(engine, 'new.tags')};`;

const SQLITE_TRIGGERS = [
  `create trigger monitor_tags_added after insert on monitor when new.tags <> '[]' begin
    ${insertNew('sqlite')}
  end`,
  `create trigger monitor_tags_changed after update of tags on monitor when old.tags <> new.tags begin
    delete from monitor_tag where monitor_id = new.id;
    ${insertNew('sqlite')}
  end`,
];

const POSTGRES_TRIGGERS = [
  `create function list_monitor_tags() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' then delete from monitor_tag where monitor_id = new.id; end if;
    ${insertNew('postgres')}
    return null;
  end $$`,
  `create trigger monitor_tags_added after insert on monitor for each row
    when (new.tags <> '[]') execute function list_monitor_tags()`,
  `create trigger monitor_tags_changed after update of tags on monitor for each row
    when (old.tags <> new.tags) execute function list_monitor_tags()`,
];
