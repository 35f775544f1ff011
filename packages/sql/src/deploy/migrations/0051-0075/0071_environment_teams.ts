import type { Migration } from "../../../Migrations.ts"

/** Adds the team of an environment, which is the team of its project, so that a row of a list reads only one table. */
export const environmentTeams: Migration = {
  name: "0071_environment_teams",
  up: [
    "ALTER TABLE environment ADD COLUMN team_id bigint NOT NULL DEFAULT 0",
    `UPDATE environment SET team_id = project.team_id FROM project
      WHERE project.uuid = environment.project_uuid AND project.team_id <> 0`,
    "ALTER TABLE project ADD CONSTRAINT project_with_team UNIQUE (uuid, team_id)",
    "ALTER TABLE environment DROP CONSTRAINT environment_project_uuid_fkey",
    `ALTER TABLE environment ADD CONSTRAINT environment_project_uuid_fkey FOREIGN KEY (project_uuid, team_id)
      REFERENCES project (uuid, team_id) ON UPDATE CASCADE ON DELETE CASCADE`
  ]
}
