ALTER TABLE follow ADD follower_visibility text COLLATE "C", ADD followed_visibility text COLLATE "C";

UPDATE follow SET follower_visibility = one.visibility, followed_visibility = other.visibility
      FROM account one, account other WHERE one.id = follow.follower AND other.id = follow.followed;

CREATE FUNCTION copy_visibilities() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        SELECT visibility INTO NEW.follower_visibility FROM account WHERE id = NEW.follower FOR SHARE;
        SELECT visibility INTO NEW.followed_visibility FROM account WHERE id = NEW.followed FOR SHARE;
        RETURN NEW;
      END $$;

CREATE TRIGGER copies_visibilities BEFORE INSERT ON follow FOR EACH ROW EXECUTE FUNCTION copy_visibilities();

DROP INDEX follow_followed;

CREATE INDEX follow_followed ON follow (followed, id) INCLUDE (follower, follower_visibility);

CREATE INDEX follow_follower ON follow (follower, id) INCLUDE (followed, followed_visibility);

CREATE FUNCTION copy_user_visibility() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        SELECT visibility INTO NEW.user_visibility FROM account WHERE id = NEW.user_id FOR SHARE;
        RETURN NEW;
      END $$;

ALTER TABLE star ADD user_visibility text COLLATE "C";

UPDATE star SET user_visibility = account.visibility FROM account WHERE account.id = star.user_id;

CREATE TRIGGER copies_user BEFORE INSERT ON star FOR EACH ROW EXECUTE FUNCTION copy_user_visibility();

ALTER TABLE watch ADD user_visibility text COLLATE "C";

UPDATE watch SET user_visibility = account.visibility FROM account WHERE account.id = watch.user_id;

CREATE TRIGGER copies_user BEFORE INSERT ON watch FOR EACH ROW EXECUTE FUNCTION copy_user_visibility();

ALTER TABLE issue_subscription ADD user_visibility text COLLATE "C";

UPDATE issue_subscription SET user_visibility = account.visibility FROM account WHERE account.id = issue_subscription.user_id;

CREATE TRIGGER copies_user BEFORE INSERT ON issue_subscription FOR EACH ROW EXECUTE FUNCTION copy_user_visibility();

CREATE INDEX star_people ON star (repository_id, id) INCLUDE (user_id, user_visibility);

CREATE INDEX watch_people ON watch (repository_id, id) INCLUDE (user_id, user_visibility) WHERE watching;

CREATE INDEX issue_subscription_people ON issue_subscription (issue_id, id) INCLUDE (user_id, user_visibility)
      WHERE subscribed;

CREATE OR REPLACE FUNCTION follow_account() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE team_member SET user_key = NEW.name_key, user_visibility = NEW.visibility WHERE user_id = NEW.id;
        UPDATE public_membership SET user_key = NEW.name_key, user_visibility = NEW.visibility WHERE user_id = NEW.id;
        UPDATE collaborator SET user_key = NEW.name_key, user_visibility = NEW.visibility WHERE user_id = NEW.id;
        UPDATE email SET user_key = NEW.name_key WHERE user_id = NEW.id AND user_key <> NEW.name_key;
        IF OLD.visibility <> NEW.visibility THEN
          UPDATE repository SET owner_visibility = NEW.visibility WHERE owner_id = NEW.id;
          UPDATE follow SET follower_visibility = NEW.visibility WHERE follower = NEW.id;
          UPDATE follow SET followed_visibility = NEW.visibility WHERE followed = NEW.id;
          UPDATE star SET user_visibility = NEW.visibility WHERE user_id = NEW.id;
          UPDATE watch SET user_visibility = NEW.visibility WHERE user_id = NEW.id;
          UPDATE issue_subscription SET user_visibility = NEW.visibility WHERE user_id = NEW.id;
        END IF;
        RETURN NULL;
      END $$;

CREATE TABLE follow_count (
      user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      visibility text COLLATE "C" NOT NULL,
      followers bigint NOT NULL,
      following bigint NOT NULL,
      PRIMARY KEY (user_id, visibility)
    );

INSERT INTO follow_count 
  SELECT user_id, visibility, sum(followers) AS followers, sum(following) AS following FROM (
    SELECT followed AS user_id, follower_visibility AS visibility, 1 AS followers, 0 AS following FROM follow
    UNION ALL SELECT follower, followed_visibility, 0, 1 FROM follow
  ) each GROUP BY user_id, visibility;

CREATE FUNCTION count_follows() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          UPDATE follow_count counted
          SET followers = counted.followers + fewer.followers, following = counted.following + fewer.following
          FROM (
  SELECT user_id, visibility, -sum(followers) AS followers, -sum(following) AS following FROM (
    SELECT followed AS user_id, follower_visibility AS visibility, 1 AS followers, 0 AS following FROM removed
    UNION ALL SELECT follower, followed_visibility, 0, 1 FROM removed
  ) each GROUP BY user_id, visibility) fewer
          WHERE counted.user_id = fewer.user_id AND counted.visibility = fewer.visibility;
        END IF;
        IF TG_OP <> 'DELETE' THEN
          INSERT INTO follow_count AS counted 
  SELECT user_id, visibility, sum(followers) AS followers, sum(following) AS following FROM (
    SELECT followed AS user_id, follower_visibility AS visibility, 1 AS followers, 0 AS following FROM added
    UNION ALL SELECT follower, followed_visibility, 0, 1 FROM added
  ) each GROUP BY user_id, visibility ORDER BY user_id, visibility
          ON CONFLICT (user_id, visibility) DO UPDATE
          SET followers = counted.followers + excluded.followers, following = counted.following + excluded.following;
        END IF;
        RETURN NULL;
      END $$;

CREATE TRIGGER counts_follows_insert AFTER INSERT ON follow
        REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_follows();

CREATE TRIGGER counts_follows_delete AFTER DELETE ON follow
        REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_follows();

CREATE TRIGGER counts_follows_update AFTER UPDATE ON follow
        REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_follows();

CREATE FUNCTION copy_repository() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        SELECT private, owner_visibility, user_id, organization_id, units INTO NEW.private, NEW.owner_visibility, NEW.owner_user_id, NEW.owner_organization_id, NEW.units
        FROM repository WHERE id = NEW.repository_id FOR NO KEY UPDATE;
        RETURN NEW;
      END $$;

ALTER TABLE star ADD private boolean, ADD owner_visibility text COLLATE "C", ADD owner_user_id bigint, ADD owner_organization_id bigint, ADD units integer;

UPDATE star SET (private, owner_visibility, owner_user_id, owner_organization_id, units) = (repository.private, repository.owner_visibility, repository.user_id, repository.organization_id, repository.units) FROM repository WHERE repository.id = star.repository_id;

CREATE TRIGGER copies_repository BEFORE INSERT ON star FOR EACH ROW EXECUTE FUNCTION copy_repository();

ALTER TABLE watch ADD private boolean, ADD owner_visibility text COLLATE "C", ADD owner_user_id bigint, ADD owner_organization_id bigint, ADD units integer;

UPDATE watch SET (private, owner_visibility, owner_user_id, owner_organization_id, units) = (repository.private, repository.owner_visibility, repository.user_id, repository.organization_id, repository.units) FROM repository WHERE repository.id = watch.repository_id;

CREATE TRIGGER copies_repository BEFORE INSERT ON watch FOR EACH ROW EXECUTE FUNCTION copy_repository();

CREATE INDEX star_things ON star (user_id, id) INCLUDE (repository_id, private, owner_visibility, owner_user_id, owner_organization_id, units);

CREATE INDEX watch_things ON watch (user_id, id) INCLUDE (repository_id, private, owner_visibility, owner_user_id, owner_organization_id, units) WHERE watching;

CREATE FUNCTION follow_repository() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE star SET (private, owner_visibility, owner_user_id, owner_organization_id, units) = (NEW.private, NEW.owner_visibility, NEW.user_id, NEW.organization_id, NEW.units) WHERE repository_id = NEW.id;
        UPDATE watch SET (private, owner_visibility, owner_user_id, owner_organization_id, units) = (NEW.private, NEW.owner_visibility, NEW.user_id, NEW.organization_id, NEW.units) WHERE repository_id = NEW.id;
        RETURN NULL;
      END $$;

CREATE TRIGGER repository_is_followed AFTER UPDATE ON repository FOR EACH ROW
      WHEN ((OLD.private, OLD.owner_visibility, OLD.user_id, OLD.organization_id, OLD.units) IS DISTINCT FROM (NEW.private, NEW.owner_visibility, NEW.user_id, NEW.organization_id, NEW.units)) EXECUTE FUNCTION follow_repository();

CREATE TABLE starred_count (
      user_id bigint PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
      starred bigint NOT NULL
    );

INSERT INTO starred_count SELECT user_id, count(*) FROM star WHERE NOT star.private AND star.owner_visibility = 'public' GROUP BY user_id;

CREATE FUNCTION count_starred() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' AND NOT OLD.private AND OLD.owner_visibility = 'public' THEN
          UPDATE starred_count SET starred = starred - 1 WHERE user_id = OLD.user_id;
        END IF;
        IF TG_OP <> 'DELETE' AND NOT NEW.private AND NEW.owner_visibility = 'public' THEN
          INSERT INTO starred_count AS counted VALUES (NEW.user_id, 1)
          ON CONFLICT (user_id) DO UPDATE SET starred = counted.starred + 1;
        END IF;
        RETURN NULL;
      END $$;

CREATE TRIGGER starred_is_counted AFTER INSERT OR DELETE OR UPDATE OF private, owner_visibility ON star
      FOR EACH ROW EXECUTE FUNCTION count_starred();
