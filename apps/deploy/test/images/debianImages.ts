import { cpSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { PodmanService } from "@slipway/docker/testing"
import { Effect } from "effect"
import { copyPrograms } from "./programs.ts"

/** An image that is made of Debian's programs, since no registry is available. */
interface Recipe {
  /** The Debian package of the first program. */
  readonly debian: string
  readonly programs: ReadonlyArray<string>
  /** Directories that the programs read. */
  readonly directories: ReadonlyArray<string>
  /** The script that starts the server, with the options of the container; without one, the container's command runs. */
  readonly start?: string
}

// Programs of the official images that busybox lacks here.
const helpers = ["/usr/bin/flock", "/usr/bin/setpriv"]
const asUser = "/usr/bin/setpriv --reuid 999 --regid 999 --clear-groups"

/** Initializes the data and starts the server as the official image does, with the same variables and options. */
const startPostgres = `#!/bin/sh
set -eu
mkdir -p "$PGDATA" /run/postgresql
chown 999:999 "$PGDATA" /run/postgresql
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s' "$POSTGRES_PASSWORD" > /tmp/password
  chmod 644 /tmp/password
  ${asUser} initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  ${asUser} pg_ctl --wait --options="-c listen_addresses=''" start
  [ "$POSTGRES_DB" = postgres ] || createdb --username="$POSTGRES_USER" --maintenance-db=postgres "$POSTGRES_DB"
  ${asUser} pg_ctl --wait --mode=fast stop
fi
exec ${asUser} postgres -c listen_addresses='*' "$@"
`

/** Does the same for MariaDB. */
const startMariadb = `#!/bin/sh
set -eu
mkdir -p /run/mysqld
chown 999:999 /run/mysqld /var/lib/mysql
[ -d /var/lib/mysql/mysql ] ||
  mariadb-install-db --no-defaults --user=mysql --datadir=/var/lib/mysql --auth-root-authentication-method=normal
cat > /tmp/start.sql <<END
CREATE DATABASE IF NOT EXISTS \\\`$MARIADB_DATABASE\\\`;
ALTER USER root@localhost IDENTIFIED BY '$MARIADB_ROOT_PASSWORD';
CREATE USER IF NOT EXISTS '$MARIADB_USER'@'%' IDENTIFIED BY '$MARIADB_PASSWORD';
GRANT ALL ON \\\`$MARIADB_DATABASE\\\`.* TO '$MARIADB_USER'@'%';
END
exec mariadbd --no-defaults --user=mysql --datadir=/var/lib/mysql --socket=/run/mysqld/mysqld.sock --init-file=/tmp/start.sql "$@"
`

const postgresHome = () => globSync("/usr/lib/postgresql/*").toSorted().at(-1) ?? "/usr/lib/postgresql/15"

/** The recipes of databases, by their types. */
const recipes = {
  postgresql: () => ({
    debian: "postgresql",
    programs: ["postgres", "createdb", "initdb", "pg_ctl", "pg_dump", "pg_isready", "pg_restore", "psql"].map(
      (program) => join(postgresHome(), "bin", program)
    ),
    directories: [postgresHome().replace("/lib/", "/share/"), join(postgresHome(), "lib")],
    start: startPostgres
  }),
  mariadb: () => ({
    debian: "mariadb-server",
    programs: [
      "/usr/sbin/mariadbd",
      ...["mariadb", "mariadb-admin", "mariadb-dump", "mariadb-install-db", "my_print_defaults", "resolveip"].map(
        (program) => join("/usr/bin", program)
      )
    ],
    directories: ["/usr/share/mysql", "/usr/lib/mysql/plugin"],
    start: startMariadb
  }),
  redis: () => ({ debian: "redis-server", programs: ["/usr/bin/redis-server", "/usr/bin/redis-cli"], directories: [] })
} satisfies Readonly<Record<string, () => Recipe>>

/** The types of databases that Debian has programs for. */
export type DebianDatabase = keyof typeof recipes

/** Builds an image with a name for a type of database. */
export const buildDatabaseImage = async (
  { image, podman }: PodmanService,
  kind: DebianDatabase,
  name: string
): Promise<void> => {
  const { debian, directories, programs, start }: Recipe = recipes[kind]()
  const missing = programs.find((program) => !existsSync(program))
  if (missing !== undefined) throw new Error(`${missing} is missing: apt-get install ${debian}`)
  const context = mkdtempSync(join(tmpdir(), "slipway-database-"))
  const root = join(context, "root")
  try {
    copyPrograms([...helpers, ...programs], root)
    for (const directory of directories) {
      cpSync(directory, join(root, directory), {
        recursive: true,
        filter: (path) => !/bitcode|llvm|\.a$/.test(path)
      })
    }
    const users = ["root:x:0:0::/:/bin/sh", "postgres:x:999:999::/:/bin/sh", "mysql:x:999:999::/:/bin/sh", ""]
    writeFileSync(join(context, "passwd"), users.join("\n"))
    writeFileSync(join(context, "start"), start ?? "", { mode: 0o755 })
    writeFileSync(
      join(context, "Dockerfile"),
      `FROM ${image}
COPY root /
COPY passwd /etc/passwd
COPY start /bin/start
ENV PATH=/usr/bin:/usr/sbin:${postgresHome()}/bin:/bin TZ=UTC LC_ALL=C
RUN mkdir -p /tmp /run /var && chmod 1777 /tmp && ln -s /run /var/run
${start === undefined ? "" : 'ENTRYPOINT ["/bin/start"]'}
`
    )
    await Effect.runPromise(podman("build", "--quiet", "--tag", name, context))
  } finally {
    rmSync(context, { recursive: true })
  }
}
