DELETE FROM attachment WHERE kind = 'issue'
        AND NOT EXISTS (SELECT FROM issue WHERE issue.id = attachment.thing_id);

DELETE FROM attachment WHERE kind = 'comment'
        AND NOT EXISTS (SELECT FROM comment WHERE comment.id = attachment.thing_id);

DELETE FROM attachment WHERE kind = 'release'
        AND NOT EXISTS (SELECT FROM release WHERE release.id = attachment.thing_id);

ALTER TABLE attachment ADD COLUMN issue_id bigint GENERATED ALWAYS AS (CASE kind WHEN 'issue' THEN thing_id END) STORED
        REFERENCES issue (id) ON DELETE CASCADE, ADD COLUMN comment_id bigint GENERATED ALWAYS AS (CASE kind WHEN 'comment' THEN thing_id END) STORED
        REFERENCES comment (id) ON DELETE CASCADE, ADD COLUMN release_id bigint GENERATED ALWAYS AS (CASE kind WHEN 'release' THEN thing_id END) STORED
        REFERENCES release (id) ON DELETE CASCADE;

CREATE INDEX attachment_issue ON attachment (issue_id, id) WHERE issue_id IS NOT NULL;

CREATE INDEX attachment_comment ON attachment (comment_id, id) WHERE comment_id IS NOT NULL;

CREATE INDEX attachment_release ON attachment (release_id, id) WHERE release_id IS NOT NULL;

DROP INDEX attachment_thing;

CREATE INDEX attachment_repository ON attachment (repository_id);
