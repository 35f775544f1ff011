import { bash, curl, wget } from "./checks.ts"
import { databaseOf, postgres, redis } from "./parts.ts"
import { requiredVariable, template, urlOf } from "./ServiceTemplate.ts"

const code = "development"
const mail = "mail testing"
const access = "sign-in and secrets"
const gitea = databaseOf("gitea")
const keycloak = databaseOf("keycloak")
const authentik = databaseOf("authentik")
const authentikSettings = {
  AUTHENTIK_SECRET_KEY: "$SERVICE_PASSWORD_64_AUTHENTIK",
  AUTHENTIK_POSTGRESQL__HOST: authentik.host,
  AUTHENTIK_POSTGRESQL__NAME: authentik.name,
  AUTHENTIK_POSTGRESQL__USER: authentik.user,
  AUTHENTIK_POSTGRESQL__PASSWORD: authentik.password,
  AUTHENTIK_REDIS__HOST: "cache"
}

/** Templates of developer tools, identity providers and password managers. */
export const development = [
  template({
    name: "gitea",
    title: "Gitea",
    description: "Git repositories with issues and pull requests, on SQLite.",
    category: code,
    port: 3000,
    memory: 256,
    services: {
      gitea: {
        image: "gitea/gitea:1.22.6",
        environment: { GITEA__server__ROOT_URL: `\${${urlOf("gitea")}}/`, GITEA__server__DISABLE_SSH: "true" },
        volumes: ["data:/data"],
        health: wget("http://127.0.0.1:3000/api/healthz")
      }
    }
  }),
  template({
    name: "gitea-with-postgresql",
    title: "Gitea with PostgreSQL",
    description: "Git repositories with issues and pull requests.",
    category: code,
    port: 3000,
    memory: 512,
    services: {
      gitea: {
        image: "gitea/gitea:1.22.6",
        environment: {
          GITEA__server__ROOT_URL: `\${${urlOf("gitea")}}/`,
          GITEA__server__DISABLE_SSH: "true",
          GITEA__database__DB_TYPE: "postgres",
          GITEA__database__HOST: "db:5432",
          GITEA__database__NAME: gitea.name,
          GITEA__database__USER: gitea.user,
          GITEA__database__PASSWD: gitea.password
        },
        volumes: ["data:/data"],
        health: wget("http://127.0.0.1:3000/api/healthz"),
        needs: ["db"]
      },
      db: postgres(gitea)
    }
  }),
  template({
    name: "forgejo",
    title: "Forgejo",
    description: "Git repositories with issues and pull requests, on SQLite.",
    category: code,
    port: 3000,
    memory: 256,
    services: {
      forgejo: {
        image: "codeberg.org/forgejo/forgejo:9.0.3",
        environment: { FORGEJO__server__ROOT_URL: `\${${urlOf("forgejo")}}/`, FORGEJO__server__DISABLE_SSH: "true" },
        volumes: ["data:/data"],
        health: wget("http://127.0.0.1:3000/api/healthz")
      }
    }
  }),
  template({
    name: "jenkins",
    title: "Jenkins",
    description: "Builds and tests on a schedule or after a push. Its log has the first password.",
    category: code,
    port: 8080,
    memory: 1024,
    services: {
      jenkins: {
        image: "jenkins/jenkins:2.479.2-lts",
        volumes: ["home:/var/jenkins_home"],
        health: curl("http://127.0.0.1:8080/login"),
        startsIn: 120
      }
    }
  }),
  template({
    name: "code-server",
    title: "code-server",
    description: "Visual Studio Code in the browser.",
    category: code,
    port: 8080,
    memory: 1024,
    services: {
      "code-server": {
        image: "codercom/code-server:4.96.2",
        environment: { PASSWORD: "$SERVICE_PASSWORD_CODE" },
        volumes: ["home:/home/coder"],
        health: curl("http://127.0.0.1:8080/healthz")
      }
    }
  }),
  template({
    name: "verdaccio",
    title: "Verdaccio",
    description: "An npm registry that caches packages of the public one.",
    category: code,
    port: 4873,
    memory: 256,
    services: {
      verdaccio: {
        image: "verdaccio/verdaccio:6.0.2",
        environment: { VERDACCIO_PUBLIC_URL: `\${${urlOf("verdaccio")}}` },
        volumes: ["storage:/verdaccio/storage"],
        health: wget("http://127.0.0.1:4873/-/ping")
      }
    }
  }),
  template({
    name: "mailpit",
    title: "Mailpit",
    description: "Receives the email of programs under test at port 1025, and shows it.",
    category: mail,
    port: 8025,
    memory: 64,
    services: {
      mailpit: {
        image: "axllent/mailpit:v1.21.8",
        environment: { MP_DATABASE: "/data/mailpit.db", MP_UI_AUTH: "admin:$SERVICE_PASSWORD_MAILPIT" },
        volumes: ["data:/data"],
        health: ["CMD", "/mailpit", "readyz"]
      }
    }
  }),
  template({
    name: "mailhog",
    title: "MailHog",
    description: "Receives the email of programs under test at port 1025, and shows it.",
    category: mail,
    port: 8025,
    memory: 64,
    services: { mailhog: { image: "mailhog/mailhog:v1.0.1", health: wget("http://127.0.0.1:8025/") } }
  }),
  template({
    name: "vaultwarden",
    title: "Vaultwarden",
    description:
      "A password manager for the clients of Bitwarden. Without SIGNUPS_ALLOWED, the first page of `/admin` invites.",
    category: access,
    port: 80,
    memory: 128,
    services: {
      vaultwarden: {
        image: "vaultwarden/server:1.32.7",
        environment: {
          DOMAIN: `\${${urlOf("vaultwarden")}}`,
          ADMIN_TOKEN: "$SERVICE_PASSWORD_64_ADMIN",
          SIGNUPS_ALLOWED: `\${SIGNUPS_ALLOWED:-false}`
        },
        volumes: ["data:/data"],
        health: ["CMD", "/healthcheck.sh"]
      }
    }
  }),
  template({
    name: "keycloak",
    title: "Keycloak",
    description: "Single sign-on with OpenID Connect and SAML.",
    category: access,
    port: 8080,
    memory: 1536,
    services: {
      keycloak: {
        image: "quay.io/keycloak/keycloak:26.0.7",
        command: ["start", "--proxy-headers=xforwarded", "--http-enabled=true"],
        environment: {
          KC_BOOTSTRAP_ADMIN_USERNAME: "admin",
          KC_BOOTSTRAP_ADMIN_PASSWORD: "$SERVICE_PASSWORD_ADMIN",
          KC_HOSTNAME: `\${${urlOf("keycloak")}}`,
          KC_DB: "postgres",
          KC_DB_URL: `jdbc:postgresql://db:5432/${keycloak.name}`,
          KC_DB_USERNAME: keycloak.user,
          KC_DB_PASSWORD: keycloak.password
        },
        health: bash(8080),
        startsIn: 180,
        needs: ["db"]
      },
      db: postgres(keycloak)
    }
  }),
  template({
    name: "authentik",
    title: "authentik",
    description:
      "Single sign-on with OpenID Connect, SAML and LDAP. `/if/flow/initial-setup/` creates the first account.",
    category: access,
    port: 9000,
    memory: 2048,
    services: {
      authentik: {
        image: "ghcr.io/goauthentik/server:2024.12.1",
        command: ["server"],
        environment: authentikSettings,
        volumes: ["media:/media"],
        health: ["CMD", "ak", "healthcheck"],
        startsIn: 180,
        needs: ["db", "cache"]
      },
      worker: {
        image: "ghcr.io/goauthentik/server:2024.12.1",
        command: ["worker"],
        environment: authentikSettings,
        volumes: ["media:/media"],
        health: ["CMD", "ak", "healthcheck"],
        startsIn: 180,
        needs: ["db", "cache"]
      },
      db: postgres(authentik, "postgres:16.6-alpine"),
      cache: redis
    }
  }),
  template({
    name: "cloudflared",
    title: "Cloudflare Tunnel",
    description: "Connects services to Cloudflare without an open port.",
    category: "networking",
    port: null,
    memory: 64,
    asks: { TUNNEL_TOKEN: "The token of the tunnel, from Cloudflare's dashboard." },
    services: {
      cloudflared: {
        image: "cloudflare/cloudflared:2024.12.2",
        command: ["tunnel", "--no-autoupdate", "--metrics", "127.0.0.1:2000", "run"],
        environment: { TUNNEL_TOKEN: requiredVariable("TUNNEL_TOKEN") },
        health: ["CMD", "cloudflared", "tunnel", "--metrics", "127.0.0.1:2000", "ready"]
      }
    }
  })
]
