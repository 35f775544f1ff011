// Measures access decisions of Slipway and of other libraries on the same questions. `servers` measures the five examples of the
// guide "Coming from CASL, OpenFGA, Cedar or Oso" on OpenFGA and SpiceDB instead, with stores in memory on the loopback
// interface. Their programs are named by environment variables; nothing downloads or builds them:
//
//   GOBIN=/tmp/servers go install github.com/openfga/openfga/cmd/openfga@v1.22.1
//   GOBIN=/tmp/servers go install github.com/authzed/spicedb/cmd/spicedb@v1.56.2
//   SLIPWAY_BENCH_OPENFGA=/tmp/servers/openfga SLIPWAY_BENCH_SPICEDB=/tmp/servers/spicedb npm run bench -- access servers
//
// Exits with code 1 if the answers differ.

import { measureLibraries } from "./access/libraries.ts"
import { measureServers } from "./access/servers.ts"

await (process.argv.includes("servers") ? measureServers() : measureLibraries())
