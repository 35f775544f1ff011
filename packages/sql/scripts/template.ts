// Writes template/pgdata.tar.br: the files of an empty PostgreSQL, as PGlite's initdb makes them. Run it again after
// PGlite has moved to another major version of PostgreSQL: `node packages/sql/scripts/template.ts`.

import { writeFileSync } from "node:fs"
import { brotliCompressSync, constants } from "node:zlib"
import { PGlite } from "@electric-sql/pglite"

const database = await PGlite.create({ initDbStartParams: ["--wal-segsize=1", "--no-instructions"] })
// Only `CREATE DATABASE` reads the template databases, and no code calls it. Without them a third of the files remains.
await database.exec("UPDATE pg_database SET datistemplate = false")
await database.exec("DROP DATABASE template0")
await database.exec("DROP DATABASE template1")
await database.exec("VACUUM FREEZE")
// The second checkpoint recycles the segments of the first.
await database.exec("CHECKPOINT")
await database.exec("CHECKPOINT")
const tar = Buffer.from(await (await database.dumpDataDir("none")).arrayBuffer())
await database.close()
const packed = brotliCompressSync(tar, {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: tar.length
  }
})
writeFileSync(new URL("../template/pgdata.tar.br", import.meta.url), packed)
process.stdout.write(`${tar.length} bytes, ${packed.length} packed\n`)
