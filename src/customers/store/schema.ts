/** The tables of `customers.sqlite`. Columns `sealed` hold a person's data, under that person's key. */
import { CHANGE_LOG } from './copying/log-schema.ts'

export const STORE_FILE = 'customers.sqlite'

const FIRST = `
  CREATE TABLE person (
    owner TEXT PRIMARY KEY, -- names the key that seals
    account TEXT NOT NULL UNIQUE, -- at the exchange, and the customer's id
    state TEXT NOT NULL, -- CONFIRMED: the mail is; PENDING: the account is being opened; ACTIVE
    mail_index BLOB NOT NULL UNIQUE,
    handle BLOB NOT NULL UNIQUE, -- of WebAuthn
    sealed BLOB NOT NULL, -- mail, language, version of the terms
    created_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX person_by_state ON person (state) WHERE state <> 'ACTIVE';
  CREATE TABLE passkey (
    id TEXT PRIMARY KEY, -- of the credential, base64url
    owner TEXT NOT NULL REFERENCES person (owner) ON DELETE CASCADE,
    public_key BLOB NOT NULL,
    counter INTEGER NOT NULL,
    transports TEXT NOT NULL, -- joined by commas
    created_ms INTEGER NOT NULL,
    used_ms INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX passkey_by_owner ON passkey (owner);
  CREATE TABLE sign_up (
    token_digest BLOB PRIMARY KEY,
    owner TEXT NOT NULL,
    mail_index BLOB NOT NULL,
    is_known INTEGER NOT NULL, -- there was an account: the link opens nothing
    sealed BLOB NOT NULL, -- mail, language, version of the terms
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sign_up_by_mail ON sign_up (mail_index, created_ms);
  CREATE INDEX sign_up_by_end ON sign_up (expires_ms);
  CREATE TABLE session (
    token_digest BLOB PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL REFERENCES person (owner) ON DELETE CASCADE,
    level TEXT NOT NULL, -- SIGNUP: makes the first passkey; SESSION
    key_name TEXT UNIQUE, -- of the session's key
    public_key BLOB,
    sealed BLOB NOT NULL, -- device, network
    created_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    ends_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX session_by_owner ON session (owner, created_ms);
  CREATE INDEX session_by_end ON session (ends_ms);
  CREATE TABLE ended_key (
    name TEXT PRIMARY KEY, -- of a session's key whose end gateways do not know yet
    ends_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE mail (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    kind TEXT NOT NULL,
    sealed BLOB NOT NULL, -- to, language, token
    at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE trail (
    number INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    kind TEXT NOT NULL,
    sealed BLOB NOT NULL, -- device, network
    hash BLOB NOT NULL -- of the hash before it and all of this row
  ) STRICT;
  CREATE INDEX trail_by_owner ON trail (owner, number);
`

/** Facts about the whole store; before this step, only sandboxes had passkeys. */
const FACTS = `
  CREATE TABLE fact (
    name TEXT PRIMARY KEY, -- rp_id: the domain that all passkeys are bound to
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO fact VALUES ('rp_id', 'localhost');
`

const LABELS_OF_PASSKEYS = `
  ALTER TABLE passkey ADD COLUMN sealed BLOB; -- label
`

const FREEZES = `
  CREATE TABLE link (
    token_digest BLOB PRIMARY KEY, -- of a link in a mail to a person that there is
    owner TEXT NOT NULL REFERENCES person (owner) ON DELETE CASCADE,
    kind TEXT NOT NULL, -- FREEZE; UNFREEZE
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX link_by_owner ON link (owner, kind, created_ms);
  CREATE INDEX link_by_end ON link (expires_ms);
  CREATE TABLE rest (
    owner TEXT PRIMARY KEY REFERENCES person (owner) ON DELETE CASCADE,
    until_ms INTEGER NOT NULL -- withdrawals rest until then
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX rest_by_end ON rest (until_ms);
`

const INVITATIONS = `
  CREATE TABLE invitation (
    id TEXT PRIMARY KEY, -- names it in lists
    code_digest BLOB NOT NULL UNIQUE,
    mail_index BLOB, -- of the only address that it is for
    uses_max INTEGER NOT NULL,
    uses INTEGER NOT NULL,
    by_operator TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    ends_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE invited (
    owner TEXT PRIMARY KEY, -- of a sign-up or a person that has come by it
    invitation TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`

const FACTORS = `
  CREATE TABLE password (
    owner TEXT PRIMARY KEY REFERENCES person (owner) ON DELETE CASCADE,
    sealed BLOB NOT NULL -- its argon2id hash
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE totp (
    owner TEXT PRIMARY KEY REFERENCES person (owner) ON DELETE CASCADE,
    sealed BLOB NOT NULL, -- secret
    last_step INTEGER NOT NULL -- of the newest code that was used
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE recovery_code (
    owner TEXT NOT NULL REFERENCES person (owner) ON DELETE CASCADE,
    digest BLOB NOT NULL,
    PRIMARY KEY (owner, digest)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE device (
    token_digest BLOB PRIMARY KEY, -- of the cookie of a browser that has signed in
    owner TEXT NOT NULL REFERENCES person (owner) ON DELETE CASCADE,
    used_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX device_by_owner ON device (owner, used_ms);
`

const MARKS = `
  ALTER TABLE person ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0; -- the number that the journal has
  ALTER TABLE person ADD COLUMN wanted_epoch INTEGER; -- of a change that is stored here and not journaled yet
  ALTER TABLE person ADD COLUMN is_old INTEGER NOT NULL DEFAULT 0; -- the journal knows of later changes
`

const MAIL_QUEUE = `
  ALTER TABLE mail ADD COLUMN state TEXT NOT NULL DEFAULT 'WAITING'; -- SENDING: it may have left; SENT; BOUNCED
  ALTER TABLE mail ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE mail ADD COLUMN next_ms INTEGER NOT NULL DEFAULT 0; -- not before
  CREATE INDEX mail_to_send ON mail (next_ms, number) WHERE state IN ('WAITING', 'SENDING');
`

const ASKS = `
  CREATE TABLE ask (
    owner TEXT PRIMARY KEY REFERENCES person (owner) ON DELETE CASCADE,
    by_operator TEXT NOT NULL, -- the first of two who want to lift the freeze
    at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`

/** Facts of an API key that only its owner knows. */
const OWN_KEYS = `
  CREATE TABLE own_key (
    api_key TEXT PRIMARY KEY,
    owner TEXT NOT NULL REFERENCES person (owner) ON DELETE CASCADE,
    sealed BLOB NOT NULL, -- name, addresses
    is_bound INTEGER NOT NULL, -- it has addresses
    created_ms INTEGER NOT NULL,
    ended_ms INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX own_key_by_owner ON own_key (owner, created_ms);
`

const LIMITS = `
  ALTER TABLE own_key ADD COLUMN ends_ms INTEGER; -- when it ends by itself
  CREATE INDEX own_key_by_end ON own_key (ended_ms);
  CREATE INDEX mail_by_owner ON mail (owner, at_ms);
`

const CHANGES_OF_MAIL = `
  CREATE TABLE mail_change (
    token_digest BLOB PRIMARY KEY,
    owner TEXT NOT NULL REFERENCES person (owner) ON DELETE CASCADE,
    mail_index BLOB NOT NULL,
    is_known INTEGER NOT NULL, -- the address has an account: the link opens nothing
    sealed BLOB NOT NULL, -- the new mail
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX mail_change_by_owner ON mail_change (owner, created_ms);
  CREATE INDEX mail_change_by_mail ON mail_change (mail_index, created_ms);
  CREATE INDEX mail_change_by_end ON mail_change (expires_ms);
  CREATE TABLE recovery_request (
    owner TEXT PRIMARY KEY REFERENCES person (owner) ON DELETE CASCADE,
    at_ms INTEGER NOT NULL -- operators were asked, by the mail alone
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE due_mail (
    owner TEXT PRIMARY KEY REFERENCES person (owner) ON DELETE CASCADE,
    due_ms INTEGER NOT NULL,
    by_operators TEXT NOT NULL, -- both, with a comma
    sealed BLOB NOT NULL -- the new mail
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE mail_changer (
    owner TEXT NOT NULL REFERENCES person (owner) ON DELETE CASCADE,
    by_operator TEXT NOT NULL, -- has changed this person's mail
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (owner, by_operator)
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE ask RENAME TO ask_before;
  CREATE TABLE ask (
    owner TEXT NOT NULL REFERENCES person (owner) ON DELETE CASCADE,
    kind TEXT NOT NULL, -- UNFREEZE; RESET; MAIL
    by_operator TEXT NOT NULL, -- the first of two who ask for it
    at_ms INTEGER NOT NULL,
    value TEXT NOT NULL, -- a digest: both must ask for the same
    PRIMARY KEY (owner, kind)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO ask SELECT owner, 'UNFREEZE', by_operator, at_ms, '' FROM ask_before;
  DROP TABLE ask_before;
`

const CLAIMS = `
  CREATE TABLE claim (
    name TEXT PRIMARY KEY, -- of a piece of work that one process does at a time
    process TEXT NOT NULL, -- its name
    holder TEXT NOT NULL, -- random
    until_ms INTEGER NOT NULL -- then it ends by itself
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE failure (
    subject TEXT PRIMARY KEY, -- a digest: of an address of mail, or of a known browser
    full_ms INTEGER NOT NULL -- when all attempts are allowed again
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX failure_by_end ON failure (full_ms);
`

export const STORE_FORM = {
  /** "BRCS" */
  applicationId: 0x4252_4353,
  isErasing: false,
  /** A released step never changes: further changes are new steps. */
  steps: [
    FIRST,
    FACTS,
    LABELS_OF_PASSKEYS,
    FREEZES,
    INVITATIONS,
    FACTORS,
    MARKS,
    MAIL_QUEUE,
    ASKS,
    OWN_KEYS,
    LIMITS,
    CHANGES_OF_MAIL,
    CHANGE_LOG,
    CLAIMS,
  ],
}
