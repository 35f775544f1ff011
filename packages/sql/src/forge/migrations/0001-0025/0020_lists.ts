import type { Migration } from "../../../Migrations.ts"

const repositoryFacts = "(private, owner_visibility, user_id, organization_id, units)"

/** Adds an index for each list. It has the sort order of the list and the columns that decide on visibility. */
export const lists: Migration = {
  name: "0020_lists",
  up: [
    // The substrings of one, two and three characters of a text. The pending list of the index has at most eight pages.
    `CREATE FUNCTION grams(of text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT ARRAY(
        SELECT substr($1, at, size) FROM generate_series(1, 3) size, generate_series(1, length($1) - size + 1) at
      )
    $$`,
    `ALTER TABLE account ADD grams text[] COLLATE "C" GENERATED ALWAYS AS (grams(name_key || E'\\n' || full_name_key)) STORED`,
    `CREATE INDEX account_grams ON account USING gin (grams) WITH (gin_pending_list_limit = 64)`,
    `DROP INDEX account_name`,
    `CREATE UNIQUE INDEX account_name ON account (name_key) INCLUDE (id, visibility)`,
    `CREATE INDEX account_login ON account (login_name, name_key) WHERE login_name <> ''`,
    `CREATE INDEX account_source ON account (source_id, name_key) WHERE source_id <> 0`,

    // Memberships and grants have copies of the sort key and the visibility of their users.
    `CREATE FUNCTION copy_user() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        SELECT name_key, visibility INTO NEW.user_key, NEW.user_visibility FROM account WHERE id = NEW.user_id FOR SHARE;
        RETURN NEW;
      END $$`,
    ...["team_member", "public_membership", "collaborator"].flatMap((table) => [
      `ALTER TABLE ${table} ADD user_key text COLLATE "C", ADD user_visibility text COLLATE "C"`,
      `UPDATE ${table} SET user_key = account.name_key, user_visibility = account.visibility
        FROM account WHERE account.id = ${table}.user_id`,
      `CREATE TRIGGER copies_user BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION copy_user()`
    ]),
    `CREATE INDEX team_member_name ON team_member (team_id, user_key) INCLUDE (user_id, user_visibility)`,
    `CREATE INDEX team_member_organization ON team_member (organization_id, user_key, user_id) INCLUDE (user_visibility)`,
    `CREATE INDEX public_membership_name ON public_membership (organization_id, user_key)
      INCLUDE (user_id, user_visibility)`,
    `CREATE INDEX collaborator_name ON collaborator (repository_id, user_key) INCLUDE (user_id, user_visibility)`,

    `CREATE FUNCTION copy_user_key() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        SELECT name_key INTO NEW.user_key FROM account WHERE id = NEW.user_id FOR SHARE;
        RETURN NEW;
      END $$`,
    `ALTER TABLE email ADD user_key text COLLATE "C"`,
    `UPDATE email SET user_key = account.name_key FROM account WHERE account.id = email.user_id`,
    `CREATE TRIGGER copies_user BEFORE INSERT ON email FOR EACH ROW EXECUTE FUNCTION copy_user_key()`,
    `ALTER TABLE email ADD grams text[] COLLATE "C" GENERATED ALWAYS AS (grams(address_key || E'\\n' || user_key)) STORED`,
    `CREATE INDEX email_grams ON email USING gin (grams) WITH (gin_pending_list_limit = 64)`,

    // Repositories have a copy of their owner's visibility, so lists need no join.
    `ALTER TABLE repository ADD owner_visibility text COLLATE "C"`,
    `UPDATE repository SET owner_visibility = coalesce(
      (SELECT visibility FROM account WHERE account.id = repository.user_id),
      (SELECT visibility FROM organization WHERE organization.id = repository.organization_id)
    )`,
    `CREATE FUNCTION copy_owner_visibility() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.user_id IS NOT NULL THEN
          SELECT visibility INTO NEW.owner_visibility FROM account WHERE id = NEW.user_id FOR SHARE;
        ELSE
          SELECT visibility INTO NEW.owner_visibility FROM organization WHERE id = NEW.organization_id FOR SHARE;
        END IF;
        RETURN NEW;
      END $$`,
    `CREATE TRIGGER copies_owner BEFORE INSERT OR UPDATE OF user_id, organization_id ON repository
      FOR EACH ROW EXECUTE FUNCTION copy_owner_visibility()`,
    `ALTER TABLE repository ADD grams text[] COLLATE "C" GENERATED ALWAYS AS (grams(name_key)) STORED`,
    `CREATE INDEX repository_grams ON repository USING gin (grams) WITH (gin_pending_list_limit = 64)`,
    `CREATE INDEX repository_seen ON repository (id) INCLUDE ${repositoryFacts}`,
    `CREATE INDEX repository_open ON repository (id) WHERE NOT private AND owner_visibility = 'public'`,
    `DROP INDEX repository_owner`,
    `CREATE INDEX repository_owner ON repository (owner_id, id) INCLUDE ${repositoryFacts}`,

    `CREATE FUNCTION follow_account() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE team_member SET user_key = NEW.name_key, user_visibility = NEW.visibility WHERE user_id = NEW.id;
        UPDATE public_membership SET user_key = NEW.name_key, user_visibility = NEW.visibility WHERE user_id = NEW.id;
        UPDATE collaborator SET user_key = NEW.name_key, user_visibility = NEW.visibility WHERE user_id = NEW.id;
        UPDATE email SET user_key = NEW.name_key WHERE user_id = NEW.id AND user_key <> NEW.name_key;
        UPDATE repository SET owner_visibility = NEW.visibility
          WHERE owner_id = NEW.id AND owner_visibility <> NEW.visibility;
        RETURN NULL;
      END $$`,
    `CREATE TRIGGER account_is_followed AFTER UPDATE OF name_key, visibility ON account FOR EACH ROW
      WHEN (OLD.name_key <> NEW.name_key OR OLD.visibility <> NEW.visibility) EXECUTE FUNCTION follow_account()`,
    `CREATE FUNCTION follow_organization() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE repository SET owner_visibility = NEW.visibility WHERE owner_id = NEW.id;
        RETURN NULL;
      END $$`,
    `CREATE TRIGGER organization_is_followed AFTER UPDATE OF visibility ON organization FOR EACH ROW
      WHEN (OLD.visibility <> NEW.visibility) EXECUTE FUNCTION follow_organization()`,

    `DROP INDEX organization_name`,
    `CREATE UNIQUE INDEX organization_name ON organization (name_key) INCLUDE (id, visibility)`,
    `CREATE INDEX team_name ON team (organization_id, name_key) INCLUDE (id, visibility, includes_all)`,
    `CREATE INDEX team_whole ON team (organization_id) WHERE includes_all`,
    `CREATE INDEX event_action ON event (action, id)`,
    `CREATE INDEX event_signed_in ON event (signed_in_key, id)`,
    `CREATE INDEX event_doer ON event (actor_id, id) WHERE outcome = 'done'`
  ]
}
