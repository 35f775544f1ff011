import { node, php, wget } from "./checks.ts"
import { clickhouse, databaseOf, mariadb, postgres } from "./parts.ts"
import { template, urlOf } from "./ServiceTemplate.ts"

const monitoring = "monitoring"
const analytics = "analytics"
const umami = databaseOf("umami")
const matomo = databaseOf("matomo")
const plausible = databaseOf("plausible")
const events = { ...databaseOf("plausible", "events"), name: "plausible_events" }

/** Templates of monitoring, metrics and web analytics. */
export const observation = [
  template({
    name: "uptime-kuma",
    title: "Uptime Kuma",
    description: "Checks addresses on a schedule, and shows status pages.",
    category: monitoring,
    port: 3001,
    memory: 256,
    services: {
      "uptime-kuma": {
        image: "louislam/uptime-kuma:1.23.16",
        volumes: ["data:/app/data"],
        health: ["CMD", "extra/healthcheck"]
      }
    }
  }),
  template({
    name: "grafana",
    title: "Grafana",
    description: "Dashboards and alerts on metrics and logs.",
    category: monitoring,
    port: 3000,
    memory: 256,
    services: {
      grafana: {
        image: "grafana/grafana:11.4.0",
        environment: {
          GF_SERVER_ROOT_URL: `\${${urlOf("grafana")}}`,
          GF_SECURITY_ADMIN_USER: "admin",
          GF_SECURITY_ADMIN_PASSWORD: "$SERVICE_PASSWORD_ADMIN"
        },
        volumes: ["data:/var/lib/grafana"],
        health: wget("http://127.0.0.1:3000/api/health")
      }
    }
  }),
  template({
    name: "grafana-with-prometheus",
    title: "Grafana with Prometheus",
    description: "Dashboards with a Prometheus server that collects its own metrics.",
    category: monitoring,
    port: 3000,
    memory: 768,
    services: {
      grafana: {
        image: "grafana/grafana:11.4.0",
        environment: {
          GF_SERVER_ROOT_URL: `\${${urlOf("grafana")}}`,
          GF_SECURITY_ADMIN_USER: "admin",
          GF_SECURITY_ADMIN_PASSWORD: "$SERVICE_PASSWORD_ADMIN"
        },
        volumes: ["dashboards:/var/lib/grafana"],
        health: wget("http://127.0.0.1:3000/api/health"),
        needs: ["prometheus"]
      },
      prometheus: {
        image: "prom/prometheus:v2.55.1",
        volumes: ["metrics:/prometheus"],
        health: wget("http://127.0.0.1:9090/-/healthy")
      }
    }
  }),
  template({
    name: "victoria-metrics",
    title: "VictoriaMetrics",
    description: "A time series database that reads what Prometheus writes.",
    category: monitoring,
    port: 8428,
    memory: 512,
    services: {
      victoriametrics: {
        image: "victoriametrics/victoria-metrics:v1.107.0",
        command: [
          "-storageDataPath=/storage",
          "-httpAuth.username=$SERVICE_USER_METRICS",
          "-httpAuth.password=$SERVICE_PASSWORD_METRICS"
        ],
        volumes: ["storage:/storage"],
        health: wget("http://127.0.0.1:8428/health")
      }
    }
  }),
  template({
    name: "influxdb",
    title: "InfluxDB",
    description: "A time series database with dashboards.",
    category: monitoring,
    port: 8086,
    memory: 512,
    services: {
      influxdb: {
        image: "influxdb:2.7.11-alpine",
        environment: {
          DOCKER_INFLUXDB_INIT_MODE: "setup",
          DOCKER_INFLUXDB_INIT_USERNAME: "admin",
          DOCKER_INFLUXDB_INIT_PASSWORD: "$SERVICE_PASSWORD_ADMIN",
          DOCKER_INFLUXDB_INIT_ORG: "default",
          DOCKER_INFLUXDB_INIT_BUCKET: "default",
          DOCKER_INFLUXDB_INIT_ADMIN_TOKEN: "$SERVICE_PASSWORD_64_TOKEN"
        },
        volumes: ["data:/var/lib/influxdb2", "settings:/etc/influxdb2"],
        health: ["CMD", "influx", "ping"]
      }
    }
  }),
  template({
    name: "umami",
    title: "Umami",
    description: "Web analytics without cookies.",
    category: analytics,
    port: 3000,
    memory: 512,
    services: {
      umami: {
        image: "ghcr.io/umami-software/umami:postgresql-v2.15.1",
        environment: {
          DATABASE_TYPE: "postgresql",
          DATABASE_URL: `postgresql://${umami.user}:${umami.password}@db:5432/${umami.name}`,
          APP_SECRET: "$SERVICE_PASSWORD_64_APP"
        },
        health: node("http://127.0.0.1:3000/api/heartbeat"),
        startsIn: 60,
        needs: ["db"]
      },
      db: postgres(umami)
    }
  }),
  template({
    name: "matomo",
    title: "Matomo",
    description: "Web analytics with reports on visitors, pages and goals.",
    category: analytics,
    port: 80,
    memory: 768,
    services: {
      matomo: {
        image: "matomo:5.2.1-apache",
        environment: {
          MATOMO_DATABASE_HOST: matomo.host,
          MATOMO_DATABASE_DBNAME: matomo.name,
          MATOMO_DATABASE_USERNAME: matomo.user,
          MATOMO_DATABASE_PASSWORD: matomo.password
        },
        volumes: ["site:/var/www/html"],
        health: php(80),
        startsIn: 60,
        needs: ["db"]
      },
      db: mariadb(matomo)
    }
  }),
  template({
    name: "plausible",
    title: "Plausible Analytics",
    description: "Lightweight web analytics.",
    category: analytics,
    port: 8000,
    memory: 2048,
    services: {
      plausible: {
        image: "ghcr.io/plausible/community-edition:v2.1.4",
        command: ["sh", "-c", "/entrypoint.sh db createdb && /entrypoint.sh db migrate && /entrypoint.sh run"],
        environment: {
          BASE_URL: `\${${urlOf("plausible")}}`,
          SECRET_KEY_BASE: "$SERVICE_PASSWORD_64_PLAUSIBLE",
          DATABASE_URL: `postgres://${plausible.user}:${plausible.password}@db:5432/${plausible.name}`,
          CLICKHOUSE_DATABASE_URL: `http://${events.user}:${events.password}@events:8123/${events.name}`
        },
        volumes: ["data:/var/lib/plausible"],
        health: wget("http://127.0.0.1:8000/api/health"),
        startsIn: 120,
        needs: ["db", "events"]
      },
      db: postgres(plausible),
      events: clickhouse(events)
    }
  })
]
