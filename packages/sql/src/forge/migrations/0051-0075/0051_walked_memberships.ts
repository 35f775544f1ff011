import type { Migration } from "../../../Migrations.ts"

/**
 * Adds an index for the organizations and teams of a user. It has copies of their sort keys and of the columns that
 * decide on visibility.
 */
export const walkedMemberships: Migration = {
  name: "0051_walked_memberships",
  up: [
    `ALTER TABLE team_member ADD organization_key text COLLATE "C", ADD organization_visibility text COLLATE "C",
      ADD team_key text COLLATE "C", ADD team_visibility text COLLATE "C", ADD owners boolean`,
    `UPDATE team_member SET organization_key = organization.name_key, organization_visibility = organization.visibility,
        team_key = team.name_key, team_visibility = team.visibility, owners = team.owners
      FROM team JOIN organization ON organization.id = team.organization_id WHERE team.id = team_member.team_id`,
    `CREATE FUNCTION copy_team() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        SELECT name_key, visibility INTO NEW.organization_key, NEW.organization_visibility
        FROM organization WHERE id = NEW.organization_id FOR SHARE;
        SELECT name_key, visibility, owners INTO NEW.team_key, NEW.team_visibility, NEW.owners
        FROM team WHERE id = NEW.team_id FOR SHARE;
        RETURN NEW;
      END $$`,
    `CREATE TRIGGER copies_team BEFORE INSERT ON team_member FOR EACH ROW EXECUTE FUNCTION copy_team()`,
    `CREATE FUNCTION follow_team() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE team_member SET team_key = NEW.name_key, team_visibility = NEW.visibility WHERE team_id = NEW.id;
        RETURN NULL;
      END $$`,
    `CREATE TRIGGER team_is_followed AFTER UPDATE OF name_key, visibility ON team FOR EACH ROW
      WHEN (OLD.name_key <> NEW.name_key OR OLD.visibility <> NEW.visibility) EXECUTE FUNCTION follow_team()`,
    `CREATE FUNCTION follow_organization_of_members() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE team_member SET organization_key = NEW.name_key, organization_visibility = NEW.visibility
          WHERE organization_id = NEW.id;
        RETURN NULL;
      END $$`,
    `CREATE TRIGGER organization_of_members_is_followed AFTER UPDATE OF name_key, visibility ON organization FOR EACH ROW
      WHEN (OLD.name_key <> NEW.name_key OR OLD.visibility <> NEW.visibility)
      EXECUTE FUNCTION follow_organization_of_members()`,
    `CREATE INDEX team_member_walked ON team_member (user_id, organization_key, organization_id, team_key)
      INCLUDE (team_id, organization_visibility, team_visibility)`,
    `CREATE INDEX team_member_owner ON team_member (user_id, organization_id) WHERE owners`,
    `DROP INDEX public_membership_user`,
    `CREATE INDEX public_membership_user ON public_membership (user_id, organization_id)`
  ]
}
