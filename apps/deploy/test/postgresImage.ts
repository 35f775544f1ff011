import { cpSync, globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { PodmanService } from "@slipway/docker/testing"
import { Effect } from "effect"
import { copyPrograms } from "./programs.ts"

const programs = ["createdb", "initdb", "pg_ctl", "pg_dump", "pg_isready", "pg_restore", "postgres", "psql"]

/** Initializes the data and starts the server as the official image does, with the same variables. */
const entry = `#!/bin/sh
set -eu
as_postgres() { /usr/bin/setpriv --reuid 999 --regid 999 --clear-groups "$@"; }
mkdir -p "$PGDATA" /run/postgresql
chown 999:999 "$PGDATA" /run/postgresql
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s' "$POSTGRES_PASSWORD" > /tmp/password
  chmod 644 /tmp/password
  as_postgres initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  as_postgres pg_ctl --wait --options="-c listen_addresses=''" start
  [ "$POSTGRES_DB" = postgres ] || createdb --username="$POSTGRES_USER" --maintenance-db=postgres "$POSTGRES_DB"
  as_postgres pg_ctl --wait --mode=fast stop
fi
exec /usr/bin/setpriv --reuid 999 --regid 999 --clear-groups postgres -c listen_addresses='*'
`

/** Builds an image with a name from Debian's PostgreSQL, since no registry is available. */
export const buildPostgres = async ({ image, podman }: PodmanService, name: string): Promise<void> => {
  const home = globSync("/usr/lib/postgresql/*").toSorted().at(-1)
  if (home === undefined) throw new Error("PostgreSQL isn't installed: apt-get install postgresql")
  const context = mkdtempSync(join(tmpdir(), "slipway-postgres-"))
  const root = join(context, "root")
  try {
    copyPrograms(["/usr/bin/flock", "/usr/bin/setpriv", ...programs.map((program) => join(home, "bin", program))], root)
    const share = home.replace("/lib/", "/share/")
    cpSync(share, join(root, share), { recursive: true })
    cpSync(join(home, "lib"), join(root, home, "lib"), {
      recursive: true,
      filter: (path) => !/bitcode|llvm|\.a$/.test(path)
    })
    writeFileSync(join(context, "passwd"), "root:x:0:0::/:/bin/sh\npostgres:x:999:999::/:/bin/sh\n")
    writeFileSync(join(context, "entry"), entry, { mode: 0o755 })
    writeFileSync(
      join(context, "Dockerfile"),
      `FROM ${image}
COPY root /
COPY passwd /etc/passwd
COPY entry /bin/entry
ENV PATH=/usr/bin:${home}/bin:/bin TZ=UTC LC_ALL=C
RUN mkdir -p /tmp /run /var && chmod 1777 /tmp && ln -s /run /var/run
CMD ["/bin/entry"]
`
    )
    await Effect.runPromise(podman("build", "--quiet", "--tag", name, context))
  } finally {
    rmSync(context, { recursive: true })
  }
}
