import type { Migration } from "../../../Migrations.ts"

const facts = "private, owner_visibility, user_id, organization_id, units"

/** Adds the name of the owner to repositories, and indexes for lists that are sorted by owner and name. */
export const fullNames: Migration = {
  name: "0073_full_names",
  up: [
    `ALTER TABLE repository ADD owner_key text COLLATE "C"`,
    `UPDATE repository SET owner_key = coalesce(
      (SELECT name_key FROM account WHERE account.id = repository.user_id),
      (SELECT name_key FROM organization WHERE organization.id = repository.organization_id)
    )`,
    `CREATE OR REPLACE FUNCTION copy_owner_visibility() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.user_id IS NOT NULL THEN
          SELECT visibility, name_key INTO NEW.owner_visibility, NEW.owner_key
            FROM account WHERE id = NEW.user_id FOR SHARE;
        ELSE
          SELECT visibility, name_key INTO NEW.owner_visibility, NEW.owner_key
            FROM organization WHERE id = NEW.organization_id FOR SHARE;
        END IF;
        RETURN NEW;
      END $$`,
    `CREATE FUNCTION follow_owner_name() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE repository SET owner_key = NEW.name_key WHERE owner_id = NEW.id;
        RETURN NULL;
      END $$`,
    ...["account", "organization"].map(
      (table) => `CREATE TRIGGER owner_name_is_followed AFTER UPDATE OF name_key ON ${table} FOR EACH ROW
      WHEN (OLD.name_key <> NEW.name_key) EXECUTE FUNCTION follow_owner_name()`
    ),
    `DROP INDEX repository_by_name_key`,
    `DROP INDEX repository_owner_by_name_key`,
    `CREATE INDEX repository_by_full_name ON repository (owner_key, name_key, id) INCLUDE (owner_id, ${facts})`,
    `CREATE INDEX repository_owner_by_full_name ON repository (owner_id, owner_key, name_key, id) INCLUDE (${facts})`
  ]
}
