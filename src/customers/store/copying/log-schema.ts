/**
 * The log of changes of the store, kept by triggers: each existing row, and each recently deleted row, has
 * one entry, whose number grows with each change. A standby requests the rows of the entries after the last
 * one that it has.
 */

/** The columns of each table's key: at most two. */
const KEY_BY_TABLE = {
  person: ['owner'],
  passkey: ['id'],
  sign_up: ['token_digest'],
  session: ['token_digest'],
  ended_key: ['name'],
  mail: ['number'],
  trail: ['number'],
  fact: ['name'],
  link: ['token_digest'],
  rest: ['owner'],
  invitation: ['id'],
  invited: ['owner'],
  password: ['owner'],
  totp: ['owner'],
  recovery_code: ['owner', 'digest'],
  device: ['token_digest'],
  own_key: ['api_key'],
  mail_change: ['token_digest'],
  recovery_request: ['owner'],
  due_mail: ['owner'],
  mail_changer: ['owner', 'by_operator'],
  ask: ['owner', 'kind'],
} as const satisfies Readonly<Record<string, readonly [string] | readonly [string, string]>>

const TABLES = `
  CREATE TABLE change (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL, -- of the table
    key1 ANY NOT NULL,
    key2 ANY NOT NULL, -- '' where the key has one column
    gone_s INTEGER, -- when the row was deleted, in seconds since 1970
    owner TEXT, -- of a passkey: its id comes from the person's device, and is erased with the person
    UNIQUE (name, key1, key2)
  ) STRICT;
  CREATE INDEX change_of_gone ON change (gone_s) WHERE gone_s IS NOT NULL;
  CREATE INDEX change_of_owner ON change (owner) WHERE owner IS NOT NULL;
  CREATE TABLE generation (
    ordinal INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE, -- random: of one run of the process of customers
    began INTEGER NOT NULL, -- the newest change when it began
    floor INTEGER NOT NULL -- changes up to here may be of rows that nothing tells of any more
  ) STRICT;
  CREATE TABLE copied (
    one INTEGER PRIMARY KEY CHECK (one = 1), -- in a standby's copy alone
    generation TEXT NOT NULL, -- of the node's log
    number INTEGER NOT NULL, -- all changes up to here are in this copy
    at_ms INTEGER NOT NULL, -- the copy is what the node had at this time
    has_keys INTEGER NOT NULL -- the keys of persons came with it
  ) STRICT;
`

/** An `ON CONFLICT` in a trigger would be overridden by that of the statement that fires it. */
function noted(row: 'NEW' | 'OLD', name: string, [first, second]: readonly string[], goneAt: string): string {
  const [key1, key2] = [`${row}.${first}`, second === undefined ? "''" : `${row}.${second}`]
  const owner = name === 'passkey' ? `${row}.owner` : 'NULL'
  return `
    DELETE FROM change WHERE name = '${name}' AND key1 = ${key1} AND key2 = ${key2};
    INSERT INTO change (name, key1, key2, gone_s, owner)
      VALUES ('${name}', ${key1}, ${key2}, ${goneAt}, ${owner});`
}

function logged([name, key]: readonly [string, readonly string[]]): string {
  const [first = '', second] = key
  return `
  INSERT INTO change (name, key1, key2, owner)
    SELECT '${name}', ${first}, ${second ?? "''"}, ${name === 'passkey' ? 'owner' : 'NULL'} FROM ${name};
  CREATE TRIGGER ${name}_is_new AFTER INSERT ON ${name} BEGIN ${noted('NEW', name, key, 'NULL')} END;
  CREATE TRIGGER ${name}_is_changed AFTER UPDATE ON ${name} BEGIN ${noted('NEW', name, key, 'NULL')} END;
  CREATE TRIGGER ${name}_is_renamed AFTER UPDATE OF ${key.join(', ')} ON ${name}
    WHEN ${key.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ')}
    BEGIN ${noted('OLD', name, key, 'unixepoch()')} END;
  CREATE TRIGGER ${name}_is_gone AFTER DELETE ON ${name} BEGIN ${noted('OLD', name, key, 'unixepoch()')} END;`
}

/** The step of the schema that begins the log. */
export const CHANGE_LOG = TABLES + Object.entries(KEY_BY_TABLE).map(logged).join('')

/** Tables that are not copied: they belong to one file. */
export const UNLOGGED_TABLES: readonly string[] = ['change', 'generation', 'copied', 'claim', 'failure']

export type LoggedTable = keyof typeof KEY_BY_TABLE

export function keyOfTable(name: string): readonly string[] | undefined {
  return Object.hasOwn(KEY_BY_TABLE, name) ? KEY_BY_TABLE[name as LoggedTable] : undefined
}
