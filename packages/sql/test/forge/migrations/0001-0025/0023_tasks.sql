CREATE TABLE task (
      name text COLLATE "C" PRIMARY KEY,
      schedule text NOT NULL,
      due_at timestamptz NOT NULL,
      begun_at timestamptz,
      runs integer NOT NULL DEFAULT 0,
      held_until timestamptz
    );
