import type { Migration } from "../../../Migrations.ts"

/** Creates the table of mirrors. */
export const mirrors: Migration = {
  name: "0030_mirrors",
  up: [
    `CREATE TABLE "mirror" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "direction" text COLLATE "C" NOT NULL CHECK ("direction" IN ('pull', 'push')),
      "name" text COLLATE "C" NOT NULL,
      "url" text NOT NULL,
      "username" text NOT NULL,
      "uuid" text NOT NULL,
      "password" text,
      "interval" bigint NOT NULL,
      "on_commit" boolean NOT NULL,
      "once" boolean NOT NULL,
      "wiki" boolean NOT NULL,
      "created_at" timestamptz NOT NULL,
      "synced_at" timestamptz,
      "last_error" text NOT NULL,
      "due_at" timestamptz,
      "running" boolean NOT NULL,
      "asked" bigint NOT NULL,
      CONSTRAINT mirror_name_once UNIQUE ("repository_id", "name")
    )`,
    `CREATE INDEX ON "mirror" ((coalesce("due_at", timestamptz 'infinity')), id)`,
    `CREATE INDEX ON "mirror" ("repository_id", id)`,
    `CREATE INDEX ON "mirror" ("direction", id)`,
    `CREATE INDEX ON "mirror" ("due_at", id)`,
    `CREATE INDEX ON "mirror" ("on_commit", id)`
  ]
}
