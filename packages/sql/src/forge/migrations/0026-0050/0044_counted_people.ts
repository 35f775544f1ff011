import type { Migration } from "../../../Migrations.ts"

/**
 * Returns the SQL that adds the follows in a transition table to the counts of both users, by the visibility of the
 * other user.
 */
const byVisibility = (rows: string, sign: string) => `
  SELECT user_id, visibility, ${sign}sum(followers) AS followers, ${sign}sum(following) AS following FROM (
    SELECT followed AS user_id, follower_visibility AS visibility, 1 AS followers, 0 AS following FROM ${rows}
    UNION ALL SELECT follower, followed_visibility, 0, 1 FROM ${rows}
  ) each GROUP BY user_id, visibility`

/**
 * The columns that decide on the visibility of a repository, and the columns of stars and watches that have copies of
 * them.
 */
const facts = [
  ["private", "private", "boolean"],
  ["owner_visibility", "owner_visibility", `text COLLATE "C"`],
  ["user_id", "owner_user_id", "bigint"],
  ["organization_id", "owner_organization_id", "bigint"],
  ["units", "units", "integer"]
] as const
const own = facts.map(([column]) => column).join(", ")
const copies = facts.map(([, copy]) => copy).join(", ")
const rowOf = (alias: string) => `(${facts.map(([column]) => `${alias}.${column}`).join(", ")})`
const isOpen = (star: string) => `NOT ${star}.private AND ${star}.owner_visibility = 'public'`

/** Adds an index for each list of users, and stores the numbers of followers, followed users and stars. */
export const countedPeople: Migration = {
  name: "0044_counted_people",
  up: [
    // Follows, stars and watches have copies of the visibility of their users.
    `ALTER TABLE follow ADD follower_visibility text COLLATE "C", ADD followed_visibility text COLLATE "C"`,
    `UPDATE follow SET follower_visibility = one.visibility, followed_visibility = other.visibility
      FROM account one, account other WHERE one.id = follow.follower AND other.id = follow.followed`,
    `CREATE FUNCTION copy_visibilities() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        SELECT visibility INTO NEW.follower_visibility FROM account WHERE id = NEW.follower FOR SHARE;
        SELECT visibility INTO NEW.followed_visibility FROM account WHERE id = NEW.followed FOR SHARE;
        RETURN NEW;
      END $$`,
    `CREATE TRIGGER copies_visibilities BEFORE INSERT ON follow FOR EACH ROW EXECUTE FUNCTION copy_visibilities()`,
    `DROP INDEX follow_followed`,
    `CREATE INDEX follow_followed ON follow (followed, id) INCLUDE (follower, follower_visibility)`,
    `CREATE INDEX follow_follower ON follow (follower, id) INCLUDE (followed, followed_visibility)`,

    `CREATE FUNCTION copy_user_visibility() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        SELECT visibility INTO NEW.user_visibility FROM account WHERE id = NEW.user_id FOR SHARE;
        RETURN NEW;
      END $$`,
    ...["star", "watch", "issue_subscription"].flatMap((table) => [
      `ALTER TABLE ${table} ADD user_visibility text COLLATE "C"`,
      `UPDATE ${table} SET user_visibility = account.visibility FROM account WHERE account.id = ${table}.user_id`,
      `CREATE TRIGGER copies_user BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION copy_user_visibility()`
    ]),
    `CREATE INDEX star_people ON star (repository_id, id) INCLUDE (user_id, user_visibility)`,
    `CREATE INDEX watch_people ON watch (repository_id, id) INCLUDE (user_id, user_visibility) WHERE watching`,
    `CREATE INDEX issue_subscription_people ON issue_subscription (issue_id, id) INCLUDE (user_id, user_visibility)
      WHERE subscribed`,

    `CREATE OR REPLACE FUNCTION follow_account() RETURNS trigger LANGUAGE plpgsql AS $$
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
      END $$`,

    // Totals include only users that the viewer can see, so follows are counted by visibility.
    `CREATE TABLE follow_count (
      user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      visibility text COLLATE "C" NOT NULL,
      followers bigint NOT NULL,
      following bigint NOT NULL,
      PRIMARY KEY (user_id, visibility)
    )`,
    `INSERT INTO follow_count ${byVisibility("follow", "")}`,
    // Counts of a removed user are deleted too, in either order.
    `CREATE FUNCTION count_follows() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          UPDATE follow_count counted
          SET followers = counted.followers + fewer.followers, following = counted.following + fewer.following
          FROM (${byVisibility("removed", "-")}) fewer
          WHERE counted.user_id = fewer.user_id AND counted.visibility = fewer.visibility;
        END IF;
        IF TG_OP <> 'DELETE' THEN
          INSERT INTO follow_count AS counted ${byVisibility("added", "")} ORDER BY user_id, visibility
          ON CONFLICT (user_id, visibility) DO UPDATE
          SET followers = counted.followers + excluded.followers, following = counted.following + excluded.following;
        END IF;
        RETURN NULL;
      END $$`,
    ...[
      ["INSERT", "NEW TABLE AS added"],
      ["DELETE", "OLD TABLE AS removed"],
      ["UPDATE", "OLD TABLE AS removed NEW TABLE AS added"]
    ].map(
      ([event, tables]) => `CREATE TRIGGER counts_follows_${event?.toLowerCase()} AFTER ${event} ON follow
        REFERENCING ${tables} FOR EACH STATEMENT EXECUTE FUNCTION count_follows()`
    ),

    // Stars and watches have copies of the visibility facts of their repository.
    `CREATE FUNCTION copy_repository() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        SELECT ${own} INTO ${facts.map(([, copy]) => `NEW.${copy}`).join(", ")}
        FROM repository WHERE id = NEW.repository_id FOR NO KEY UPDATE;
        RETURN NEW;
      END $$`,
    ...["star", "watch"].flatMap((table) => [
      `ALTER TABLE ${table} ${facts.map(([, copy, type]) => `ADD ${copy} ${type}`).join(", ")}`,
      `UPDATE ${table} SET (${copies}) = ${rowOf("repository")} FROM repository WHERE repository.id = ${table}.repository_id`,
      `CREATE TRIGGER copies_repository BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION copy_repository()`
    ]),
    `CREATE INDEX star_things ON star (user_id, id) INCLUDE (repository_id, ${copies})`,
    `CREATE INDEX watch_things ON watch (user_id, id) INCLUDE (repository_id, ${copies}) WHERE watching`,
    `CREATE FUNCTION follow_repository() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE star SET (${copies}) = ${rowOf("NEW")} WHERE repository_id = NEW.id;
        UPDATE watch SET (${copies}) = ${rowOf("NEW")} WHERE repository_id = NEW.id;
        RETURN NULL;
      END $$`,
    `CREATE TRIGGER repository_is_followed AFTER UPDATE ON repository FOR EACH ROW
      WHEN (${rowOf("OLD")} IS DISTINCT FROM ${rowOf("NEW")}) EXECUTE FUNCTION follow_repository()`,
    `CREATE TABLE starred_count (
      user_id bigint PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
      starred bigint NOT NULL
    )`,
    `INSERT INTO starred_count SELECT user_id, count(*) FROM star WHERE ${isOpen("star")} GROUP BY user_id`,
    `CREATE FUNCTION count_starred() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' AND ${isOpen("OLD")} THEN
          UPDATE starred_count SET starred = starred - 1 WHERE user_id = OLD.user_id;
        END IF;
        IF TG_OP <> 'DELETE' AND ${isOpen("NEW")} THEN
          INSERT INTO starred_count AS counted VALUES (NEW.user_id, 1)
          ON CONFLICT (user_id) DO UPDATE SET starred = counted.starred + 1;
        END IF;
        RETURN NULL;
      END $$`,
    `CREATE TRIGGER starred_is_counted AFTER INSERT OR DELETE OR UPDATE OF private, owner_visibility ON star
      FOR EACH ROW EXECUTE FUNCTION count_starred()`
  ]
}
