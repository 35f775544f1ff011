import { bash, curl, node, python, wget } from "./checks.ts"
import { databaseOf, postgres } from "./parts.ts"
import { template, urlOf } from "./ServiceTemplate.ts"

const automation = "automation"
const brokers = "message brokers"
const chat = "chat and notifications"
const search = "search and vectors"
const files = "object storage"
const n8n = databaseOf("n8n")
const mattermost = databaseOf("mattermost")

/** Templates of message brokers, chat, workflow automation, search engines and object storage. */
export const messaging = [
  template({
    name: "n8n",
    title: "n8n",
    description: "Workflows between programs, on SQLite.",
    category: automation,
    port: 5678,
    memory: 512,
    services: {
      n8n: {
        image: "docker.n8n.io/n8nio/n8n:1.72.1",
        environment: {
          N8N_EDITOR_BASE_URL: `\${${urlOf("n8n")}}`,
          WEBHOOK_URL: `\${${urlOf("n8n")}}`,
          N8N_ENCRYPTION_KEY: "$SERVICE_PASSWORD_64_N8N"
        },
        volumes: ["data:/home/node/.n8n"],
        health: wget("http://127.0.0.1:5678/healthz"),
        startsIn: 60
      }
    }
  }),
  template({
    name: "n8n-with-postgresql",
    title: "n8n with PostgreSQL",
    description: "Workflows between programs.",
    category: automation,
    port: 5678,
    memory: 768,
    services: {
      n8n: {
        image: "docker.n8n.io/n8nio/n8n:1.72.1",
        environment: {
          N8N_EDITOR_BASE_URL: `\${${urlOf("n8n")}}`,
          WEBHOOK_URL: `\${${urlOf("n8n")}}`,
          N8N_ENCRYPTION_KEY: "$SERVICE_PASSWORD_64_N8N",
          DB_TYPE: "postgresdb",
          DB_POSTGRESDB_HOST: n8n.host,
          DB_POSTGRESDB_DATABASE: n8n.name,
          DB_POSTGRESDB_USER: n8n.user,
          DB_POSTGRESDB_PASSWORD: n8n.password
        },
        volumes: ["data:/home/node/.n8n"],
        health: wget("http://127.0.0.1:5678/healthz"),
        startsIn: 60,
        needs: ["db"]
      },
      db: postgres(n8n)
    }
  }),
  template({
    name: "node-red",
    title: "Node-RED",
    description:
      "Flows between devices and programs. Enable a password in its settings file before others can reach it.",
    category: automation,
    port: 1880,
    memory: 256,
    services: {
      "node-red": {
        image: "nodered/node-red:4.0.8",
        volumes: ["data:/data"],
        health: ["CMD", "node", "/healthcheck.js"]
      }
    }
  }),
  template({
    name: "changedetection",
    title: "changedetection.io",
    description: "Watches web pages, and notifies of changes.",
    category: automation,
    port: 5000,
    memory: 256,
    services: {
      changedetection: {
        image: "ghcr.io/dgtlmoon/changedetection.io:0.48.05",
        environment: { BASE_URL: `\${${urlOf("changedetection")}}` },
        volumes: ["data:/datastore"],
        health: python("http://127.0.0.1:5000/")
      }
    }
  }),
  template({
    name: "rabbitmq",
    title: "RabbitMQ",
    description: "A message broker with its management page.",
    category: brokers,
    port: 15672,
    memory: 512,
    services: {
      rabbitmq: {
        image: "rabbitmq:4.0.5-management-alpine",
        environment: {
          RABBITMQ_DEFAULT_USER: "$SERVICE_USER_RABBITMQ",
          RABBITMQ_DEFAULT_PASS: "$SERVICE_PASSWORD_RABBITMQ"
        },
        volumes: ["data:/var/lib/rabbitmq"],
        health: ["CMD", "rabbitmq-diagnostics", "-q", "ping"],
        startsIn: 60
      }
    }
  }),
  template({
    name: "nats",
    title: "NATS",
    description: "A message broker with streams. Its port 8222 has the monitoring pages.",
    category: brokers,
    port: null,
    memory: 128,
    services: {
      nats: {
        image: "nats:2.10.24-alpine",
        command: [
          "--jetstream",
          "--store_dir=/data",
          "--http_port=8222",
          "--user=$SERVICE_USER_NATS",
          "--pass=$SERVICE_PASSWORD_NATS"
        ],
        volumes: ["data:/data"],
        health: wget("http://127.0.0.1:8222/healthz")
      }
    }
  }),
  template({
    name: "mattermost",
    title: "Mattermost",
    description: "Chat for teams.",
    category: chat,
    port: 8065,
    memory: 1024,
    services: {
      mattermost: {
        image: "mattermost/mattermost-team-edition:10.3.1",
        environment: {
          MM_SERVICESETTINGS_SITEURL: `\${${urlOf("mattermost")}}`,
          MM_SQLSETTINGS_DRIVERNAME: "postgres",
          MM_SQLSETTINGS_DATASOURCE: `postgres://${mattermost.user}:${mattermost.password}@db:5432/${mattermost.name}?sslmode=disable`
        },
        volumes: ["data:/mattermost/data", "config:/mattermost/config", "plugins:/mattermost/plugins"],
        health: curl("http://127.0.0.1:8065/api/v4/system/ping"),
        startsIn: 90,
        needs: ["db"]
      },
      db: postgres(mattermost)
    }
  }),
  template({
    name: "ntfy",
    title: "ntfy",
    description: "Push notifications by HTTP. Topics need an account, which `ntfy user add` creates.",
    category: chat,
    port: 80,
    memory: 64,
    services: {
      ntfy: {
        image: "binwiederhier/ntfy:v2.11.0",
        command: ["serve"],
        environment: {
          NTFY_BASE_URL: `\${${urlOf("ntfy")}}`,
          NTFY_BEHIND_PROXY: "true",
          NTFY_AUTH_FILE: "/var/lib/ntfy/user.db",
          NTFY_AUTH_DEFAULT_ACCESS: "deny-all",
          NTFY_CACHE_FILE: "/var/lib/ntfy/cache.db"
        },
        volumes: ["data:/var/lib/ntfy"],
        health: wget("http://127.0.0.1/v1/health")
      }
    }
  }),
  template({
    name: "gotify",
    title: "Gotify",
    description: "Push notifications for phones and browsers.",
    category: chat,
    port: 80,
    memory: 64,
    services: {
      gotify: {
        image: "gotify/server:2.6.1",
        environment: { GOTIFY_DEFAULTUSER_PASS: "$SERVICE_PASSWORD_ADMIN" },
        volumes: ["data:/app/data"],
        health: curl("http://127.0.0.1/health")
      }
    }
  }),
  template({
    name: "meilisearch",
    title: "Meilisearch",
    description: "A search engine with a REST API.",
    category: search,
    port: 7700,
    memory: 512,
    services: {
      meilisearch: {
        image: "getmeili/meilisearch:v1.12.0",
        environment: { MEILI_ENV: "production", MEILI_MASTER_KEY: "$SERVICE_PASSWORD_64_MASTER" },
        volumes: ["data:/meili_data"],
        health: wget("http://127.0.0.1:7700/health")
      }
    }
  }),
  template({
    name: "typesense",
    title: "Typesense",
    description: "A search engine that tolerates typing errors.",
    category: search,
    port: 8108,
    memory: 512,
    services: {
      typesense: {
        image: "typesense/typesense:27.1",
        environment: { TYPESENSE_DATA_DIR: "/data", TYPESENSE_API_KEY: "$SERVICE_PASSWORD_64_TYPESENSE" },
        volumes: ["data:/data"],
        health: bash(8108)
      }
    }
  }),
  template({
    name: "qdrant",
    title: "Qdrant",
    description: "A vector database.",
    category: search,
    port: 6333,
    memory: 512,
    services: {
      qdrant: {
        image: "qdrant/qdrant:v1.12.5",
        environment: { QDRANT__SERVICE__API_KEY: "$SERVICE_PASSWORD_64_QDRANT" },
        volumes: ["storage:/qdrant/storage"],
        health: bash(6333)
      }
    }
  }),
  template({
    name: "weaviate",
    title: "Weaviate",
    description: "A vector database with a GraphQL API.",
    category: search,
    port: 8080,
    memory: 1024,
    services: {
      weaviate: {
        image: "cr.weaviate.io/semitechnologies/weaviate:1.28.2",
        environment: {
          PERSISTENCE_DATA_PATH: "/var/lib/weaviate",
          AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED: "false",
          AUTHENTICATION_APIKEY_ENABLED: "true",
          AUTHENTICATION_APIKEY_ALLOWED_KEYS: "$SERVICE_PASSWORD_64_WEAVIATE",
          AUTHENTICATION_APIKEY_USERS: "admin",
          CLUSTER_HOSTNAME: "node1"
        },
        volumes: ["data:/var/lib/weaviate"],
        health: wget("http://127.0.0.1:8080/v1/.well-known/ready")
      }
    }
  }),
  template({
    name: "minio",
    title: "MinIO",
    description: "Object storage with the API of S3 at port 9000, and its console.",
    category: files,
    port: 9001,
    memory: 512,
    services: {
      minio: {
        image: "minio/minio:RELEASE.2024-12-18T13-15-44Z",
        command: ["server", "/data", "--console-address", ":9001"],
        environment: {
          MINIO_ROOT_USER: "$SERVICE_USER_MINIO",
          MINIO_ROOT_PASSWORD: "$SERVICE_PASSWORD_MINIO"
        },
        volumes: ["data:/data"],
        health: ["CMD", "mc", "ready", "local"]
      }
    }
  }),
  template({
    name: "open-webui",
    title: "Open WebUI with Ollama",
    description: "Chat with language models that run on the server.",
    category: "language models",
    port: 8080,
    memory: 8192,
    services: {
      "open-webui": {
        image: "ghcr.io/open-webui/open-webui:v0.4.8",
        environment: { OLLAMA_BASE_URL: "http://ollama:11434", WEBUI_SECRET_KEY: "$SERVICE_PASSWORD_64_WEBUI" },
        volumes: ["data:/app/backend/data"],
        health: curl("http://127.0.0.1:8080/health"),
        startsIn: 180,
        needs: ["ollama"]
      },
      ollama: {
        image: "ollama/ollama:0.5.4",
        volumes: ["models:/root/.ollama"],
        health: ["CMD", "ollama", "list"]
      }
    }
  }),
  template({
    name: "actual",
    title: "Actual Budget",
    description: "Personal finance with envelopes.",
    category: "business",
    port: 5006,
    memory: 256,
    services: {
      actual: {
        image: "actualbudget/actual-server:24.12.0",
        volumes: ["data:/data"],
        health: node("http://127.0.0.1:5006/health")
      }
    }
  })
]
