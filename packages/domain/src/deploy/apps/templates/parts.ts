import { wget } from "./checks.ts"
import type { TemplateService } from "./composeYaml.ts"

/** The host name, database name, user and password of a template's database. */
export interface DatabaseFacts {
  readonly host: string
  readonly name: string
  readonly user: string
  readonly password: string
}

/** Returns the connection data of the database for a program in a template. */
export const databaseOf = (program: string, host = "db"): DatabaseFacts => ({
  host,
  name: program,
  user: program,
  password: "$SERVICE_PASSWORD_DATABASE"
})

/** Returns the template service of a PostgreSQL server with one database. */
export const postgres = ({ name, password, user }: DatabaseFacts, image = "postgres:17.2-alpine"): TemplateService => ({
  image,
  environment: { POSTGRES_DB: name, POSTGRES_USER: user, POSTGRES_PASSWORD: password },
  volumes: ["database:/var/lib/postgresql/data"],
  health: ["CMD-SHELL", "pg_isready -q -U $$POSTGRES_USER -d $$POSTGRES_DB"]
})

/** Returns the template service of a MariaDB server with one database. */
export const mariadb = ({ name, password, user }: DatabaseFacts): TemplateService => ({
  image: "mariadb:11.4.4",
  environment: {
    MARIADB_DATABASE: name,
    MARIADB_USER: user,
    MARIADB_PASSWORD: password,
    MARIADB_RANDOM_ROOT_PASSWORD: "1"
  },
  volumes: ["database:/var/lib/mysql"],
  health: ["CMD", "healthcheck.sh", "--connect", "--innodb_initialized"]
})

/** Returns the template service of a MySQL server with one database. */
export const mysql = ({ name, password, user }: DatabaseFacts): TemplateService => ({
  image: "mysql:8.0.40",
  environment: { MYSQL_DATABASE: name, MYSQL_USER: user, MYSQL_PASSWORD: password, MYSQL_RANDOM_ROOT_PASSWORD: "1" },
  volumes: ["database:/var/lib/mysql"],
  health: ["CMD-SHELL", 'mysqladmin ping -h 127.0.0.1 -u "$$MYSQL_USER" -p"$$MYSQL_PASSWORD"']
})

/** The template service of a Redis server, with data that survives a restart. */
export const redis: TemplateService = {
  image: "redis:7.4.1-alpine",
  command: ["redis-server", "--appendonly", "yes"],
  volumes: ["cache:/data"],
  health: ["CMD", "redis-cli", "ping"]
}

/** Returns the template service of a MongoDB server with a root account. */
export const mongo = ({ password, user }: DatabaseFacts): TemplateService => ({
  image: "mongo:7.0.16",
  environment: { MONGO_INITDB_ROOT_USERNAME: user, MONGO_INITDB_ROOT_PASSWORD: password },
  volumes: ["database:/data/db"],
  health: ["CMD", "mongosh", "--quiet", "--eval", "db.adminCommand('ping')"]
})

/** Returns the template service of a ClickHouse server with one account. */
export const clickhouse = ({ name, password, user }: DatabaseFacts): TemplateService => ({
  image: "clickhouse/clickhouse-server:24.12.1-alpine",
  environment: { CLICKHOUSE_DB: name, CLICKHOUSE_USER: user, CLICKHOUSE_PASSWORD: password },
  volumes: ["events:/var/lib/clickhouse"],
  health: wget("http://127.0.0.1:8123/ping")
})
