import { AS_TYPED } from './as-typed.ts'
import { SEAL_SECRETS, SEAL_TABLES } from './seal-tables.ts'

/** The number under which secrets are known: another in each archive. */
export const DRAW_KEY = `INSERT OR IGNORE INTO setting (name, value) VALUES ('secretKey', abs(random() % 4294967296))`

/**
 * The archive's tables. A migration that was released is never edited; changes are added at the
 * end. `PRAGMA user_version` counts those applied.
 */
export const migrations: string[] = [
  `
  CREATE TABLE chat (
    key           INTEGER PRIMARY KEY,
    source        TEXT NOT NULL,
    id            TEXT NOT NULL,             -- the assistant's own
    title         TEXT,                      -- given by the assistant or the person
    first_request TEXT,                      -- its beginning, where there is no title
    workspace     TEXT,
    repository    TEXT,
    branch        TEXT,
    created_at    INTEGER,
    updated_at    INTEGER,
    parent_id     TEXT,                      -- of the chat whose sub-agent this is
    fork_of       TEXT,
    subagent      INTEGER NOT NULL DEFAULT 0,
    resume        TEXT,
    status        TEXT,
    format        TEXT,                      -- what wrote it: a version, or the kind of file
    models        TEXT NOT NULL DEFAULT '[]',
    messages      INTEGER NOT NULL DEFAULT 0,
    requests      INTEGER NOT NULL DEFAULT 0,
    last_position REAL NOT NULL DEFAULT -1,  -- of its last message: what comes after it is appended
    UNIQUE (id, source)
  );
  CREATE INDEX chat_updated ON chat (updated_at);
  CREATE INDEX chat_parent ON chat (parent_id) WHERE parent_id IS NOT NULL;
  CREATE INDEX chat_fork ON chat (fork_of) WHERE fork_of IS NOT NULL;

  CREATE TABLE message (
    key           INTEGER PRIMARY KEY,       -- also its number in the word index
    chat          INTEGER NOT NULL REFERENCES chat (key),
    id            TEXT NOT NULL,             -- the assistant's own, unique in its chat
    unit          INTEGER,                   -- which file told it
    generation    INTEGER NOT NULL,          -- at which reading of that file
    rank          INTEGER NOT NULL,
    hash          INTEGER NOT NULL,          -- of all that was told: equal means unchanged
    position      REAL NOT NULL,             -- as the source orders it
    place         INTEGER NOT NULL,          -- 0, 1, 2, … in the chat
    role          TEXT NOT NULL,
    kind          TEXT NOT NULL,
    created_at    INTEGER,
    undone        INTEGER NOT NULL DEFAULT 0,
    copy_of       INTEGER,                   -- the message of another chat that this one repeats
    text          TEXT NOT NULL,
    detail        TEXT,                      -- JSON: thinking, tool calls and results, files, …
    model         TEXT,
    input_tokens  INTEGER,
    output_tokens INTEGER,
    cached_tokens INTEGER,
    cache_write_tokens INTEGER,
    reasoning_tokens   INTEGER,
    cost          REAL,
    latency_ms    INTEGER,
    UNIQUE (chat, id)                        -- by chat first: what is written together lies together
  );
  CREATE INDEX message_first ON message (id) WHERE place = 0;  -- forks begin with the same message
  CREATE INDEX message_place ON message (chat, place);
  CREATE INDEX message_copy ON message (copy_of) WHERE copy_of IS NOT NULL;

  -- The word index: immutable segments, merged as they grow in number. How their bytes read is told
  -- in index-blocks.ts and index-docs.ts. The text itself stands in message only.
  CREATE TABLE word_segment (
    key           INTEGER PRIMARY KEY AUTOINCREMENT,
    newest        INTEGER NOT NULL,          -- where two tell of one message, the larger counts
    messages      INTEGER NOT NULL,
    base          INTEGER NOT NULL,          -- keys in its lists count from here
    documents     BLOB NOT NULL,             -- chat, role, time and lengths of its messages
    titles        BLOB NOT NULL              -- lengths of its chats' titles
  );
  CREATE TABLE word_block (
    key           INTEGER PRIMARY KEY,
    segment       INTEGER NOT NULL,
    field         INTEGER NOT NULL,          -- said, thought, tools, title
    first         BLOB,                      -- its first term; none for a long list by itself
    data          BLOB NOT NULL
  );
  CREATE INDEX word_block_first ON word_block (segment, field, first);

  -- What messages mean, in the numbers of a model that the person configured; empty without one.
  -- How the bytes read is told in vectors.ts.
  CREATE TABLE vector (
    key           INTEGER PRIMARY KEY,
    model         TEXT NOT NULL,
    messages      BLOB NOT NULL,             -- which ones, what they said then, and their scale
    data          BLOB NOT NULL              -- their vectors one after the other
  );

  CREATE TABLE unit (
    key           INTEGER PRIMARY KEY,
    source        TEXT NOT NULL,
    path          TEXT NOT NULL,
    stamp         TEXT NOT NULL,             -- equal means unchanged
    fingerprint   TEXT NOT NULL,             -- JSON
    checkpoint    TEXT,                      -- JSON
    generation    INTEGER NOT NULL,
    read_at       INTEGER NOT NULL,
    UNIQUE (path, source)
  );
  CREATE TABLE unit_chat (
    unit          INTEGER NOT NULL,
    chat          INTEGER NOT NULL,
    PRIMARY KEY (unit, chat)
  ) WITHOUT ROWID;

  CREATE TABLE problem (
    unit          INTEGER NOT NULL,
    byte_offset   INTEGER,
    reason        TEXT NOT NULL,
    seen_at       INTEGER NOT NULL
  );
  CREATE INDEX problem_unit ON problem (unit);

  -- Chats that the person had erased: their ids and nothing else.
  CREATE TABLE forgotten (
    source        TEXT NOT NULL,
    id            TEXT NOT NULL,
    at            INTEGER NOT NULL,
    PRIMARY KEY (source, id)
  ) WITHOUT ROWID;

  CREATE TABLE lease (
    name          TEXT PRIMARY KEY,
    holder        TEXT NOT NULL,
    pid           INTEGER NOT NULL,
    host          TEXT NOT NULL,
    purpose       TEXT NOT NULL,
    since         INTEGER NOT NULL,
    expires_at    INTEGER NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE setting (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
  `,
  `
  -- The newest chats first, without looking at the others.
  CREATE INDEX chat_recent ON chat (coalesce(updated_at, 0), key);
  `,
  `
  -- Messages have another name from here on: a program of the first edition that is still running
  -- fails instead of showing them without their words.
  ALTER TABLE message RENAME TO chat_message;

  -- What was said and done lies packed, some dozens of messages of one chat together. How the bytes
  -- read is told in blocks.ts. Each part ends with a checksum of its own.
  CREATE TABLE block (
    key           INTEGER PRIMARY KEY,
    chat          INTEGER NOT NULL,
    messages      INTEGER NOT NULL,          -- slots, empty ones too
    bytes         INTEGER NOT NULL,          -- unpacked
    texts         BLOB NOT NULL
  );
  CREATE TABLE block_detail (                -- JSON: thinking, tool calls and results, files, …
    key           INTEGER PRIMARY KEY,       -- of its block
    details       BLOB NOT NULL
  );
  CREATE INDEX block_chat ON block (chat);
  CREATE TRIGGER chat_blocks AFTER DELETE ON chat BEGIN
    DELETE FROM block_detail WHERE key IN (SELECT key FROM block WHERE chat = OLD.key);
    DELETE FROM block WHERE chat = OLD.key;
  END;

  -- text and detail are empty where a message is in a block; without one it waits to be packed.
  ALTER TABLE chat_message ADD COLUMN block INTEGER;
  ALTER TABLE chat_message ADD COLUMN slot INTEGER;
  ALTER TABLE chat_message ADD COLUMN text_bytes INTEGER;
  ALTER TABLE chat_message ADD COLUMN detail_bytes INTEGER;
  ALTER TABLE chat_message ADD COLUMN thinking_ms INTEGER;
  -- undone: 1 says its file, 2 where its file no longer tells it (hash 0 until it is packed).
  ALTER TABLE chat ADD COLUMN packed INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX chat_unpacked ON chat (key) WHERE NOT packed;

  -- Which tools were called, so that counting them reads no JSON.
  CREATE TABLE tool (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE tool_call (
    message       INTEGER NOT NULL,
    number        INTEGER NOT NULL,          -- 0, 1, 2, … in the message
    call          INTEGER NOT NULL,          -- hash of its id
    tool          INTEGER NOT NULL,
    PRIMARY KEY (message, number)
  ) WITHOUT ROWID;
  CREATE TABLE tool_failure (                -- its message may be another one than the call's
    message       INTEGER NOT NULL,
    call          INTEGER NOT NULL,
    PRIMARY KEY (message, call)
  ) WITHOUT ROWID;
  CREATE TRIGGER message_tools AFTER DELETE ON chat_message BEGIN
    DELETE FROM tool_call WHERE message = OLD.key;
    DELETE FROM tool_failure WHERE message = OLD.key;
  END;

  ALTER TABLE chat ADD COLUMN open_block INTEGER;     -- what is appended goes there
  ALTER TABLE chat ADD COLUMN workspace_key TEXT;     -- equal for all ways to write one folder
  ALTER TABLE chat ADD COLUMN born_at INTEGER;        -- the earliest of its files
  ALTER TABLE chat ADD COLUMN background INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE chat ADD COLUMN fork_told INTEGER NOT NULL DEFAULT 0;  -- its file says what it is a fork of
  ALTER TABLE chat ADD COLUMN name TEXT;              -- the owner's own
  ALTER TABLE chat ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE chat ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
  UPDATE chat SET workspace_key = folder_key(workspace);
  UPDATE chat SET created_at = NULL WHERE created_at <= 0;
  UPDATE chat SET updated_at = NULL WHERE updated_at <= 0;

  -- What each file says of a chat: which of them is believed does not depend on when it was read.
  ALTER TABLE unit ADD COLUMN stands_in INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE unit_chat RENAME TO old_unit_chat;
  CREATE TABLE unit_chat (
    chat          INTEGER NOT NULL,
    unit          INTEGER NOT NULL,
    tells         INTEGER NOT NULL,           -- messages, not only facts about the chat
    rank          INTEGER NOT NULL DEFAULT 0,
    changed_at    INTEGER NOT NULL DEFAULT 0, -- the file
    header        TEXT,                       -- JSON
    PRIMARY KEY (chat, unit)
  ) WITHOUT ROWID;
  INSERT INTO unit_chat (chat, unit, tells) SELECT chat, unit, EXISTS (
    SELECT 1 FROM chat_message WHERE chat_message.chat = old_unit_chat.chat AND chat_message.unit = old_unit_chat.unit
  ) FROM old_unit_chat;
  DROP TABLE old_unit_chat;
  CREATE INDEX unit_chat_unit ON unit_chat (unit);

  -- The readers know more by now: what is still on disk is read again.
  ALTER TABLE unit ADD COLUMN renews INTEGER NOT NULL DEFAULT 0;
  UPDATE unit SET stamp = '', checkpoint = NULL, renews = 1;
  `,
  `
  -- How copies, forks and renamed files of a forgotten chat are known again: salted hashes, never words.
  CREATE TABLE forgotten_mark (
    source        TEXT NOT NULL,
    mark          BLOB NOT NULL,
    id            TEXT NOT NULL,             -- of the forgotten chat
    PRIMARY KEY (source, mark, id)
  ) WITHOUT ROWID;
  -- Files that tell of one: nothing that may hold its words is noted of them.
  CREATE TABLE forgotten_unit (
    unit          INTEGER NOT NULL,
    source        TEXT NOT NULL,
    id            TEXT NOT NULL,
    PRIMARY KEY (unit, source, id)
  ) WITHOUT ROWID;
  ALTER TABLE forgotten ADD COLUMN copy_of TEXT;      -- the forgotten chat that it is a copy or a part of
  ALTER TABLE forgotten ADD COLUMN learns INTEGER NOT NULL DEFAULT 0;  -- no other chat begins with its words
  `,
  `
  -- Checksums: of rows in seals (seals.ts), of blocks of the index and vectors beside them (sums.ts).
  ${SEAL_TABLES}
  ALTER TABLE word_block ADD COLUMN sum INTEGER;
  ALTER TABLE word_segment ADD COLUMN sum INTEGER;
  ALTER TABLE vector ADD COLUMN sum INTEGER;
  INSERT OR REPLACE INTO setting (name, value) SELECT 'sumsMissing', 1
    WHERE EXISTS (SELECT 1 FROM word_segment) OR EXISTS (SELECT 1 FROM vector);
  `,
  `
  -- The secrets that a chat holds, as lengths and keyed hashes, so that they are masked where they are said without
  -- a name; and from which message on a chat was not looked through yet. seen-secrets.ts tells how.
  CREATE TABLE chat_secret (
    chat          INTEGER NOT NULL,
    length        INTEGER NOT NULL,
    mark          INTEGER NOT NULL,
    PRIMARY KEY (chat, length, mark)
  ) WITHOUT ROWID;
  CREATE TABLE secret_todo (
    chat          INTEGER PRIMARY KEY,
    since         INTEGER NOT NULL           -- key of a message
  );
  INSERT INTO secret_todo SELECT key, 0 FROM chat;
  ${DRAW_KEY};
  -- Chats that are kept without their secrets: what their files tell again is written without them too.
  CREATE TABLE redacted_chat (chat INTEGER PRIMARY KEY);
  CREATE TRIGGER chat_secrets AFTER DELETE ON chat BEGIN
    DELETE FROM chat_secret WHERE chat = OLD.key;
    DELETE FROM secret_todo WHERE chat = OLD.key;
    DELETE FROM redacted_chat WHERE chat = OLD.key;
  END;
  `,
  `
  -- What chats used, summed up for 16 neighbouring ones each, and which of these were written since. kept-usage.ts
  -- tells how. A row of a chat is written whenever messages are added to it or taken away.
  CREATE TABLE usage_sum (
    range         INTEGER PRIMARY KEY,
    data          BLOB NOT NULL,
    sum           INTEGER NOT NULL           -- checksum
  );
  CREATE TABLE unsummed (range INTEGER PRIMARY KEY);
  INSERT INTO unsummed SELECT DISTINCT key >> 4 FROM chat;
  CREATE TRIGGER unsum_chat_insert AFTER INSERT ON chat BEGIN
    INSERT OR IGNORE INTO unsummed VALUES (NEW.key >> 4);
  END;
  CREATE TRIGGER unsum_chat_update AFTER UPDATE OF messages, source, workspace_key, created_at, updated_at ON chat BEGIN
    INSERT OR IGNORE INTO unsummed VALUES (NEW.key >> 4);
  END;
  CREATE TRIGGER unsum_chat_delete AFTER DELETE ON chat BEGIN
    DELETE FROM usage_sum WHERE range = OLD.key >> 4;
    INSERT OR IGNORE INTO unsummed VALUES (OLD.key >> 4);
  END;
  CREATE TRIGGER unsum_message_update AFTER UPDATE OF kind, created_at, undone, copy_of, model, input_tokens,
    output_tokens, cached_tokens, cache_write_tokens, reasoning_tokens, cost, latency_ms, thinking_ms ON chat_message
  BEGIN
    INSERT OR IGNORE INTO unsummed VALUES (NEW.chat >> 4);
  END;
  CREATE TRIGGER unsum_message_delete AFTER DELETE ON chat_message BEGIN
    INSERT OR IGNORE INTO unsummed VALUES (OLD.chat >> 4);
  END;
  `,
  `
  -- Files that were written out of the archive for an assistant to go on with: revived.ts tells how they are read.
  CREATE TABLE revived_unit (
    source        TEXT NOT NULL,
    path          TEXT NOT NULL,
    bytes         INTEGER NOT NULL,
    upto          INTEGER NOT NULL,          -- key of the newest message then
    PRIMARY KEY (source, path)
  ) WITHOUT ROWID;
  `,
  `
  -- Chats of other machines and people, as the hub told them. Their ids end with @ and the author.
  ALTER TABLE chat ADD COLUMN author TEXT;            -- none: it was read on this machine
  ALTER TABLE chat ADD COLUMN machine TEXT;
  ALTER TABLE chat ADD COLUMN space TEXT;             -- that it came through
  ALTER TABLE chat ADD COLUMN repository_key TEXT;    -- equal for all ways to write one git remote
  CREATE INDEX chat_space ON chat (space) WHERE space IS NOT NULL;

  CREATE TABLE hub_space (
    space         TEXT PRIMARY KEY,
    kind          TEXT NOT NULL DEFAULT 'team',
    pulled        INTEGER NOT NULL DEFAULT 0,
    pushed        TEXT,                      -- JSON, see change-log.ts
    state         TEXT                       -- JSON, the hub's own
  ) WITHOUT ROWID;
  -- All that a space tells of, whether it is shown or not.
  CREATE TABLE remote_chat (
    space         TEXT NOT NULL,
    author        TEXT NOT NULL,
    source        TEXT NOT NULL,
    id            TEXT NOT NULL,             -- the assistant's own
    chat          INTEGER,                   -- none: it was read here too, or another space's telling is shown
    PRIMARY KEY (source, id, author, space)
  ) WITHOUT ROWID;
  CREATE INDEX remote_chat_chat ON remote_chat (chat) WHERE chat IS NOT NULL;

  -- What changed of what was read here, while a space is joined: in the order in which it changed last.
  CREATE TABLE change_log (
    seq           INTEGER PRIMARY KEY AUTOINCREMENT,
    chat          INTEGER NOT NULL,
    message       INTEGER NOT NULL,          -- 0: the chat itself
    UNIQUE (chat, message)
  );
  CREATE TABLE change_gone (
    seq           INTEGER PRIMARY KEY AUTOINCREMENT,
    source        TEXT NOT NULL,
    id            TEXT NOT NULL,
    message       TEXT NOT NULL,             -- empty: the whole chat
    author        TEXT,
    UNIQUE (source, id, message)
  );
  CREATE TRIGGER chat_remote AFTER DELETE ON chat BEGIN
    UPDATE remote_chat SET chat = NULL WHERE chat = OLD.key;
    DELETE FROM change_log WHERE chat = OLD.key;
  END;
  `,
  `
  -- What the folders that chats are about are checkouts of, as far as they were asked.
  CREATE TABLE folder_remote (
    folder        TEXT PRIMARY KEY,          -- its key, as chat.workspace_key
    remote        TEXT,                      -- host/owner/name
    asked_at      INTEGER NOT NULL
  ) WITHOUT ROWID;
  ALTER TABLE chat ADD COLUMN git_remote TEXT;        -- that of its folder; repository is what its assistant recorded
  CREATE INDEX chat_workspace ON chat (workspace_key);
  CREATE INDEX chat_repository ON chat (repository_key) WHERE repository_key IS NOT NULL;
  UPDATE chat SET repository_key = repository_key_of(repository) WHERE repository IS NOT NULL;
  `,
  `
  -- What is known of secrets is sealed too.
  ${SEAL_SECRETS}
  `,
  `
  -- What ranking needs of a segment's messages stands in columns (index-docs.ts). What is damaged stays so.
  UPDATE word_segment SET documents = message_columns(documents), sum = NULL
    WHERE sum IS NULL OR sum = segment_sum(base, messages, documents, titles);
  INSERT OR REPLACE INTO setting (name, value) SELECT 'sumsMissing', 1 WHERE EXISTS (SELECT 1 FROM word_segment);
  `,
  AS_TYPED,
  `
  -- What answers say of the archive is counted without the rows of all chats, in a fourth of the time (overview.ts). Nobody looks for a
  -- source by it: who asks for one wants the newest first, or one chat.
  CREATE INDEX chat_counted ON chat ((messages > 0), source, messages, requests, updated_at);
  `,
  '-- Large segments have their lists in blocks (index-build.ts), where an older version would not look; merging brings older ones there.',
]
