-- Times are milliseconds since 1970 in UTC, 0 for none. Texts and numbers only: the same tables serve PostgreSQL.

CREATE TABLE feed (
    id       TEXT PRIMARY KEY,
    url      TEXT NOT NULL,
    next_due BIGINT NOT NULL,
    state    TEXT NOT NULL
);

-- What hubs have granted (WebSub).
CREATE TABLE lease (
    feed_id TEXT PRIMARY KEY,
    lease   TEXT NOT NULL
);

CREATE TABLE article (
    number        INTEGER PRIMARY KEY, -- in the order of arrival; what the index of words knows it by
    id            TEXT NOT NULL UNIQUE,
    feed_id       TEXT NOT NULL,
    feed_url      TEXT NOT NULL,
    outlet        TEXT NOT NULL,
    outlet_url    TEXT NOT NULL,
    owner         TEXT NOT NULL,
    key           TEXT NOT NULL,
    guid          TEXT NOT NULL,
    link          TEXT NOT NULL,
    url           TEXT NOT NULL,
    url_key       TEXT NOT NULL,
    title         TEXT NOT NULL,
    authors       TEXT NOT NULL,
    categories    TEXT NOT NULL,
    lang          TEXT NOT NULL,
    image         TEXT NOT NULL,
    wire          TEXT NOT NULL,
    published_at  BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    fetched_at    BIGINT NOT NULL,
    added_at      BIGINT NOT NULL,
    first_seen_at BIGINT NOT NULL,
    time_at       BIGINT NOT NULL,
    revision      TEXT NOT NULL,
    summary       TEXT NOT NULL,
    text          TEXT NOT NULL
);
CREATE INDEX article_url_key ON article (url_key) WHERE url_key <> '';
CREATE INDEX article_added ON article (added_at);

-- Articles that are not grouped yet. A table of its own, so that grouping need not rewrite articles with their texts.
CREATE TABLE pending (
    article_id TEXT PRIMARY KEY
);

-- Other keys an article was found under, hashed with their feed as article ids are. An article that has expired leaves its own id here,
-- so that a feed that still lists it does not bring it back as news.
CREATE TABLE article_alias (
    id         TEXT PRIMARY KEY,
    article_id TEXT NOT NULL
);

-- The numbers of the last decision and the last run of grouping ever stored, and the version of the corrections that was applied.
CREATE TABLE counter (
    name  TEXT PRIMARY KEY,
    value BIGINT NOT NULL
);
INSERT INTO counter (name, value) VALUES ('decided', 0), ('batch', 0), ('corrections', 0);

-- Where an article is, why, and what the grouper remembers of it. The number orders articles by their first decision.
CREATE TABLE decision (
    article_id TEXT PRIMARY KEY,
    decided    BIGINT NOT NULL,
    batch      BIGINT NOT NULL,
    time_at    BIGINT NOT NULL,
    story_id   TEXT NOT NULL,
    role       TEXT NOT NULL,
    copy_of    TEXT NOT NULL,
    decision   TEXT NOT NULL,
    record     BYTEA NOT NULL
);
CREATE INDEX decision_order ON decision (decided);
CREATE INDEX decision_story ON decision (story_id);

-- What editors have said. It outlives the articles it is about.
CREATE TABLE correction (
    number     BIGINT PRIMARY KEY,
    correction TEXT NOT NULL
);

CREATE TABLE story (
    id         TEXT PRIMARY KEY,
    founder_id TEXT NOT NULL,
    lead_id    TEXT NOT NULL,
    follows_id TEXT NOT NULL,
    related    TEXT NOT NULL,
    last_at    BIGINT NOT NULL,
    changed    BIGINT NOT NULL -- number of the last decision when it changed
);
CREATE INDEX story_last ON story (last_at);
CREATE INDEX story_changed ON story (changed);

-- Stories that went into others: kept for ever, so that an id once published always leads somewhere.
CREATE TABLE story_merge (
    id        TEXT PRIMARY KEY,
    into_id   TEXT NOT NULL,
    merged_at BIGINT NOT NULL
);

-- What each channel has published, and up to which change, and when, it has seen the stories.
CREATE TABLE channel (
    name    TEXT PRIMARY KEY,
    seen    BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
);

CREATE TABLE emission (
    channel    TEXT NOT NULL,
    id         TEXT NOT NULL,
    story_id   TEXT NOT NULL,
    emitted_at BIGINT NOT NULL,  -- when it was first published
    live       INTEGER NOT NULL, -- 1 if it may stand in a document
    emission   TEXT NOT NULL,
    PRIMARY KEY (channel, id)
);
CREATE INDEX emission_story ON emission (story_id);

-- Messages to receivers: written together with the memory they tell of, kept until they have been delivered for a while.
CREATE TABLE outbox (
    id      TEXT PRIMARY KEY,
    next_at BIGINT NOT NULL,
    done_at BIGINT NOT NULL,
    message TEXT NOT NULL
);
CREATE INDEX outbox_waiting ON outbox (next_at) WHERE done_at = 0;

-- What pages look stories up by. It follows the tables above with the next Index: everything in it can be made again from them.
CREATE TABLE story_facts (
    story_id  TEXT PRIMARY KEY,
    outlets   BIGINT NOT NULL,
    first_at  BIGINT NOT NULL,
    joined_at BIGINT NOT NULL -- when the last outlet joined
) WITHOUT ROWID;

-- Outlets, categories and languages of stories. A label is one of them as outlet:ID, category:ID or lang:TAG.
CREATE TABLE story_label (
    label    TEXT NOT NULL,
    story_id TEXT NOT NULL,
    last_at  BIGINT NOT NULL, -- of the story
    PRIMARY KEY (label, story_id)
) WITHOUT ROWID;
CREATE INDEX story_label_story ON story_label (story_id);
CREATE INDEX story_label_recent ON story_label (last_at, label) WHERE label < 'outlet:';

-- How a label is written.
CREATE TABLE label (
    label TEXT PRIMARY KEY,
    name  TEXT NOT NULL
) WITHOUT ROWID;

-- Stories that the three tables above have still to follow.
CREATE TABLE story_stale (
    story_id TEXT PRIMARY KEY
) WITHOUT ROWID;
CREATE TRIGGER story_new AFTER INSERT ON story BEGIN
    INSERT INTO story_stale (story_id) VALUES (NEW.id) ON CONFLICT (story_id) DO NOTHING;
END;
CREATE TRIGGER story_changed AFTER UPDATE OF changed ON story BEGIN
    INSERT INTO story_stale (story_id) VALUES (NEW.id) ON CONFLICT (story_id) DO NOTHING;
END;
CREATE TRIGGER story_gone AFTER DELETE ON story BEGIN
    DELETE FROM story_facts WHERE story_id = OLD.id;
    DELETE FROM story_label WHERE story_id = OLD.id;
END;

-- The words of articles by their numbers; the texts are not kept a second time.
CREATE VIRTUAL TABLE word USING fts5 (title, text, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2");

-- Articles, some of them gone, that the words have still to follow.
CREATE TABLE word_stale (
    number INTEGER PRIMARY KEY
);
CREATE TRIGGER article_new AFTER INSERT ON article BEGIN
    INSERT INTO word_stale (number) VALUES (NEW.number) ON CONFLICT (number) DO NOTHING;
END;
CREATE TRIGGER article_changed AFTER UPDATE OF title, summary, text ON article BEGIN
    INSERT INTO word_stale (number) VALUES (NEW.number) ON CONFLICT (number) DO NOTHING;
END;
CREATE TRIGGER article_gone AFTER DELETE ON article BEGIN
    INSERT INTO word_stale (number) VALUES (OLD.number) ON CONFLICT (number) DO NOTHING;
END;
