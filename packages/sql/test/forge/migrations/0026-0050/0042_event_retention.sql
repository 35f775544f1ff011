CREATE OR REPLACE FUNCTION refuse_change_of_event() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'DELETE' AND current_setting('slipway.forgetting', true) = 'on' THEN RETURN NULL; END IF;
        RAISE EXCEPTION 'events are only ever added';
      END $$;
