import type { Migration } from "../../../Migrations.ts"

/** Adds an index for the users that an account has blocked, with their visibility. */
export const walkedBlocks: Migration = {
  name: "0049_walked_blocks",
  up: [
    `ALTER TABLE block ADD blocked_visibility text COLLATE "C"`,
    `UPDATE block SET blocked_visibility = account.visibility FROM account WHERE account.id = block.blocked`,
    `CREATE FUNCTION copy_blocked_visibility() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        SELECT visibility INTO NEW.blocked_visibility FROM account WHERE id = NEW.blocked FOR SHARE;
        RETURN NEW;
      END $$`,
    `CREATE TRIGGER copies_visibility BEFORE INSERT ON block FOR EACH ROW EXECUTE FUNCTION copy_blocked_visibility()`,
    `CREATE INDEX block_people ON block (blocker, id) INCLUDE (blocked, blocked_visibility)`,
    `CREATE FUNCTION follow_blocked() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE block SET blocked_visibility = NEW.visibility WHERE blocked = NEW.id;
        RETURN NULL;
      END $$`,
    `CREATE TRIGGER blocked_is_followed AFTER UPDATE OF visibility ON account FOR EACH ROW
      WHEN (OLD.visibility IS DISTINCT FROM NEW.visibility) EXECUTE FUNCTION follow_blocked()`
  ]
}
