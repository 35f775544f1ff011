import { bash, node, php, wget } from "./checks.ts"
import { databaseOf, mongo, postgres } from "./parts.ts"
import { requiredVariable, template, urlOf } from "./ServiceTemplate.ts"

const category = "database tools"
const nocodb = databaseOf("nocodb")
const hasura = databaseOf("hasura")
const metabase = databaseOf("metabase")
const mongoExpress = databaseOf("admin", "mongo")

/** Templates of web interfaces and APIs for databases. */
export const dataTools = [
  template({
    name: "adminer",
    title: "Adminer",
    description: "A web interface for MySQL, MariaDB, PostgreSQL, SQLite and SQL Server.",
    category,
    port: 8080,
    memory: 128,
    services: { adminer: { image: "adminer:4.8.1", health: php(8080) } }
  }),
  template({
    name: "pgadmin",
    title: "pgAdmin",
    description: "A web interface for PostgreSQL.",
    category,
    port: 80,
    memory: 512,
    asks: { PGADMIN_EMAIL: "The email address of the first account." },
    services: {
      pgadmin: {
        image: "dpage/pgadmin4:8.14",
        environment: {
          PGADMIN_DEFAULT_EMAIL: requiredVariable("PGADMIN_EMAIL"),
          PGADMIN_DEFAULT_PASSWORD: "$SERVICE_PASSWORD_PGADMIN"
        },
        volumes: ["pgadmin:/var/lib/pgadmin"],
        health: wget("http://127.0.0.1/misc/ping"),
        startsIn: 60
      }
    }
  }),
  template({
    name: "phpmyadmin",
    title: "phpMyAdmin",
    description: "A web interface for MySQL and MariaDB servers that it can reach.",
    category,
    port: 80,
    memory: 256,
    services: {
      phpmyadmin: {
        image: "phpmyadmin:5.2.1-apache",
        environment: { PMA_ARBITRARY: "1", PMA_ABSOLUTE_URI: `\${${urlOf("phpmyadmin")}}/` },
        health: php(80)
      }
    }
  }),
  template({
    name: "mongo-express",
    title: "mongo-express with MongoDB",
    description: "A MongoDB server with a web interface.",
    category,
    port: 8081,
    memory: 768,
    services: {
      "mongo-express": {
        image: "mongo-express:1.0.2-20-alpine3.19",
        environment: {
          ME_CONFIG_MONGODB_URL: `mongodb://${mongoExpress.user}:${mongoExpress.password}@mongo:27017/`,
          ME_CONFIG_BASICAUTH_USERNAME: "$SERVICE_USER_EXPRESS",
          ME_CONFIG_BASICAUTH_PASSWORD: "$SERVICE_PASSWORD_EXPRESS"
        },
        health: node("http://127.0.0.1:8081/"),
        needs: ["mongo"]
      },
      mongo: mongo(mongoExpress)
    }
  }),
  template({
    name: "nocodb",
    title: "NocoDB",
    description: "Tables, forms and views on a database, without code.",
    category,
    port: 8080,
    memory: 768,
    services: {
      nocodb: {
        image: "nocodb/nocodb:0.258.3",
        environment: {
          NC_DB: `pg://db:5432?u=${nocodb.user}&p=${nocodb.password}&d=${nocodb.name}`,
          NC_AUTH_JWT_SECRET: "$SERVICE_PASSWORD_64_JWT",
          NC_PUBLIC_URL: `\${${urlOf("nocodb")}}`
        },
        volumes: ["nocodb:/usr/app/data"],
        health: wget("http://127.0.0.1:8080/api/v1/health"),
        startsIn: 60,
        needs: ["db"]
      },
      db: postgres(nocodb)
    }
  }),
  template({
    name: "hasura",
    title: "Hasura GraphQL Engine with PostgreSQL",
    description: "A GraphQL API for a PostgreSQL database.",
    category,
    port: 8080,
    memory: 768,
    services: {
      hasura: {
        image: "hasura/graphql-engine:v2.45.1",
        environment: {
          HASURA_GRAPHQL_DATABASE_URL: `postgres://${hasura.user}:${hasura.password}@db:5432/${hasura.name}`,
          HASURA_GRAPHQL_ADMIN_SECRET: "$SERVICE_PASSWORD_ADMIN",
          HASURA_GRAPHQL_ENABLE_CONSOLE: "true"
        },
        health: bash(8080),
        startsIn: 60,
        needs: ["db"]
      },
      db: postgres(hasura)
    }
  }),
  template({
    name: "metabase",
    title: "Metabase",
    description: "Questions and dashboards on databases.",
    category,
    port: 3000,
    memory: 2048,
    services: {
      metabase: {
        image: "metabase/metabase:v0.52.4",
        environment: {
          MB_DB_TYPE: "postgres",
          MB_DB_HOST: metabase.host,
          MB_DB_PORT: "5432",
          MB_DB_DBNAME: metabase.name,
          MB_DB_USER: metabase.user,
          MB_DB_PASS: metabase.password
        },
        health: ["CMD", "curl", "-fsS", "-o", "/dev/null", "http://127.0.0.1:3000/api/health"],
        startsIn: 180,
        needs: ["db"]
      },
      db: postgres(metabase)
    }
  })
]
