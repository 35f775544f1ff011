/** The number of consecutive rows that share a stored count. A page of a long list starts reading at its block. */
export const blockSize = 1024

/**
 * The statements that create the row counts of a schema. Triggers keep them up to date.
 *
 * Counting all rows would make long lists slow. With one count per table, all writers would wait for each other. So a
 * block of rows has several counts: a writer takes any unlocked one, or adds another one. No writer waits, and the sum
 * of the counts is correct for every reader, also after a rollback.
 */
export const makeCounts: ReadonlyArray<string> = [
  `CREATE TABLE row_count (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text COLLATE "C" NOT NULL,
    block bigint NOT NULL,
    amount bigint NOT NULL
  ) WITH (fillfactor = 50)`,
  `CREATE INDEX row_count_block ON row_count (kind, block)`,
  `CREATE FUNCTION count_rows() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    step record;
  BEGIN
    FOR step IN
      SELECT changed.id / ${blockSize} AS block, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END AS amount
      FROM changed GROUP BY 1
    LOOP
      UPDATE row_count SET amount = row_count.amount + step.amount
      WHERE id = (
        SELECT free.id FROM row_count free
        WHERE free.kind = TG_TABLE_NAME AND free.block = step.block
        LIMIT 1 FOR UPDATE SKIP LOCKED
      );
      IF NOT FOUND THEN
        INSERT INTO row_count (kind, block, amount) VALUES (TG_TABLE_NAME, step.block, step.amount);
      END IF;
    END LOOP;
    RETURN NULL;
  END
  $$`
]

/** Returns the statements that make triggers count the rows of a table. */
export const countRowsOf = (table: string): ReadonlyArray<string> => [
  `CREATE TRIGGER ${table}_added AFTER INSERT ON ${table}
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows()`,
  `CREATE TRIGGER ${table}_removed AFTER DELETE ON ${table}
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows()`
]
