import type { Migration } from "../../../Migrations.ts"

/** Creates the tables of scheduled tasks and their executions. */
export const scheduledTasks: Migration = {
  name: "0027_scheduled_tasks",
  up: [
    `CREATE TABLE scheduled_task (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      application_uuid text COLLATE "C" NOT NULL REFERENCES application (uuid) ON DELETE CASCADE,
      name text NOT NULL,
      command text NOT NULL,
      frequency text NOT NULL,
      container text,
      timeout integer NOT NULL,
      is_enabled boolean NOT NULL,
      due_at timestamptz,
      is_asked boolean NOT NULL DEFAULT false,
      claimed_by text,
      lease_until timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
    "CREATE INDEX scheduled_task_application ON scheduled_task (application_uuid, id)",
    "CREATE INDEX scheduled_task_due ON scheduled_task (due_at) WHERE lease_until IS NULL",
    "CREATE INDEX scheduled_task_asked ON scheduled_task (id) WHERE is_asked",
    "CREATE INDEX scheduled_task_leased ON scheduled_task (lease_until) WHERE lease_until IS NOT NULL",
    `CREATE TABLE task_execution (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      task_uuid text COLLATE "C" NOT NULL REFERENCES scheduled_task (uuid) ON DELETE CASCADE,
      status text NOT NULL,
      message text,
      started_at timestamptz NOT NULL,
      finished_at timestamptz
    )`,
    "CREATE INDEX task_execution_task ON task_execution (task_uuid, id DESC)"
  ]
}
