import type { Migration } from "../../../Migrations.ts"

/** Creates the append-only table of events. */
export const events: Migration = {
  name: "0005_events",
  up: [
    // Names and ids are copies without foreign keys, so that events outlive their resources.
    `CREATE TABLE event (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      at timestamptz NOT NULL,
      action text COLLATE "C" NOT NULL,
      outcome text COLLATE "C" NOT NULL CHECK (outcome IN ('done', 'refused')),
      refused_by text,
      actor_id bigint,
      actor_name text,
      actor_key text COLLATE "C",
      signed_in_id bigint,
      signed_in_name text,
      signed_in_key text COLLATE "C",
      credential text NOT NULL,
      token_id bigint,
      token_name text,
      address text NOT NULL,
      subject_kind text NOT NULL,
      subject_id bigint,
      subject_name text NOT NULL,
      organization_id bigint,
      team_id bigint,
      repository_id bigint,
      details jsonb NOT NULL,
      once text COLLATE "C",
      CONSTRAINT event_once UNIQUE (once)
    )`,
    `CREATE INDEX event_organization ON event (organization_id, id) WHERE organization_id IS NOT NULL`,
    `CREATE INDEX event_repository ON event (repository_id, id) WHERE repository_id IS NOT NULL AND outcome = 'done'`,
    `CREATE INDEX event_actor ON event (actor_key, id)`,
    `CREATE INDEX event_at ON event (at)`,
    `CREATE FUNCTION refuse_change_of_event() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'events are only ever added'; END $$`,
    `CREATE TRIGGER event_stays BEFORE UPDATE OR DELETE ON event
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_event()`
  ]
}
