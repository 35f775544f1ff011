import { Database } from "@slipway/sql"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
const rss = () => { const s = readFileSync("/proc/self/status","utf8"); return ["VmRSS","VmHWM"].map(k=>k+"="+Math.round(Number(s.match(new RegExp(k+":\\s+(\\d+)"))![1])/1024)).join(" ") }
const t0 = performance.now()
const dir = process.argv[2]!
const program = Effect.gen(function*(){
  const sql = yield* SqlClient
  console.log(yield* sql`select current_schema() as s, 1 as one`, yield* sql`show fsync`, Math.round(performance.now()-t0)+"ms", rss())
  const lsn = sql`SELECT (pg_current_wal_lsn() - redo_lsn)::float8 AS bytes FROM pg_control_checkpoint()`
  if (process.argv[3]) {
  console.log(yield* lsn)
  yield* sql`create table if not exists t(id serial primary key, v text)`
  for (let i=0;i<40;i++) yield* sql`insert into t(v) select repeat(md5(g::text),30) from generate_series(1,1000) g`
  yield* sql`delete from t where id % 2 = 0`
  console.log(yield* lsn, yield* sql`select relname,n_dead_tup,n_mod_since_analyze,last_autovacuum from pg_stat_user_tables`, yield* sql`select count(*)::int from pg_ls_waldir()`)
  const { tidy } = yield* Effect.promise(() => import("./src/database/housekeeping.ts"))
  console.log(yield* tidy(sql), yield* lsn, yield* tidy(sql), yield* sql`select count(*)::int from pg_ls_waldir()`)
  console.log(rss())
  }
})
await Effect.runPromise(Effect.provide(program, Database.layer({_tag:"Embedded", directory: dir},{schema:"deploy", migrations:[]})))
console.log("closed", Math.round(performance.now()-t0), rss())
