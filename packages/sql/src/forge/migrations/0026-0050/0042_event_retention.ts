import type { Migration } from "../../../Migrations.ts"

/** Allows the deletion of events in transactions that set `slipway.forgetting`. Updates of events remain forbidden. */
export const eventRetention: Migration = {
  name: "0042_event_retention",
  up: [
    `CREATE OR REPLACE FUNCTION refuse_change_of_event() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'DELETE' AND current_setting('slipway.forgetting', true) = 'on' THEN RETURN NULL; END IF;
        RAISE EXCEPTION 'events are only ever added';
      END $$`
  ]
}
