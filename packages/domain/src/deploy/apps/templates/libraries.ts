import { curl, node, php, python, wget } from "./checks.ts"
import { databaseOf, mariadb, postgres, redis } from "./parts.ts"
import { requiredVariable, template, urlOf } from "./ServiceTemplate.ts"

const documents = "files and documents"
const media = "photos and media"
const business = "business"
const reading = "reading"
const nextcloud = databaseOf("nextcloud")
const paperless = databaseOf("paperless")
const immich = databaseOf("immich")
const photoprism = databaseOf("photoprism")
const odoo = { ...databaseOf("odoo"), name: "postgres" }
const dolibarr = databaseOf("dolibarr")
const miniflux = databaseOf("miniflux")

/** Templates of file storage, media libraries, business records and bookmarks. */
export const libraries = [
  template({
    name: "nextcloud",
    title: "Nextcloud",
    description: "Files, calendars and contacts.",
    category: documents,
    port: 80,
    memory: 1024,
    services: {
      nextcloud: {
        image: "nextcloud:30.0.4-apache",
        environment: {
          MYSQL_HOST: nextcloud.host,
          MYSQL_DATABASE: nextcloud.name,
          MYSQL_USER: nextcloud.user,
          MYSQL_PASSWORD: nextcloud.password,
          REDIS_HOST: "cache",
          NEXTCLOUD_ADMIN_USER: "admin",
          NEXTCLOUD_ADMIN_PASSWORD: "$SERVICE_PASSWORD_ADMIN",
          NEXTCLOUD_TRUSTED_DOMAINS: "$SERVICE_FQDN_NEXTCLOUD",
          TRUSTED_PROXIES: "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16"
        },
        volumes: ["site:/var/www/html"],
        health: php(80),
        startsIn: 180,
        needs: ["db", "cache"]
      },
      db: mariadb(nextcloud),
      cache: redis
    }
  }),
  template({
    name: "paperless-ngx",
    title: "Paperless-ngx",
    description: "Scanned documents with text recognition and search.",
    category: documents,
    port: 8000,
    memory: 1536,
    services: {
      paperless: {
        image: "ghcr.io/paperless-ngx/paperless-ngx:2.13.5",
        environment: {
          PAPERLESS_URL: `\${${urlOf("paperless")}}`,
          PAPERLESS_SECRET_KEY: "$SERVICE_PASSWORD_64_PAPERLESS",
          PAPERLESS_ADMIN_USER: "admin",
          PAPERLESS_ADMIN_PASSWORD: "$SERVICE_PASSWORD_ADMIN",
          PAPERLESS_REDIS: "redis://cache:6379",
          PAPERLESS_DBHOST: paperless.host,
          PAPERLESS_DBNAME: paperless.name,
          PAPERLESS_DBUSER: paperless.user,
          PAPERLESS_DBPASS: paperless.password
        },
        volumes: ["data:/usr/src/paperless/data", "media:/usr/src/paperless/media"],
        health: curl("http://127.0.0.1:8000/"),
        startsIn: 180,
        needs: ["db", "cache"]
      },
      db: postgres(paperless),
      cache: redis
    }
  }),
  template({
    name: "gotenberg",
    title: "Gotenberg",
    description: "Converts web pages and office documents to PDF. Others must not reach it without a password.",
    category: documents,
    port: null,
    memory: 512,
    services: { gotenberg: { image: "gotenberg/gotenberg:8.15.3", health: curl("http://127.0.0.1:3000/health") } }
  }),
  template({
    name: "immich",
    title: "Immich",
    description: "Photos and videos of phones, with search by content.",
    category: media,
    port: 2283,
    memory: 4096,
    services: {
      immich: {
        image: "ghcr.io/immich-app/immich-server:v1.123.0",
        environment: {
          DB_HOSTNAME: immich.host,
          DB_DATABASE_NAME: immich.name,
          DB_USERNAME: immich.user,
          DB_PASSWORD: immich.password,
          REDIS_HOSTNAME: "cache",
          IMMICH_MACHINE_LEARNING_URL: "http://learning:3003"
        },
        volumes: ["uploads:/usr/src/app/upload"],
        health: node("http://127.0.0.1:2283/api/server/ping"),
        startsIn: 120,
        needs: ["db", "cache"]
      },
      learning: {
        image: "ghcr.io/immich-app/immich-machine-learning:v1.123.0",
        volumes: ["models:/cache"],
        health: python("http://127.0.0.1:3003/ping"),
        startsIn: 120
      },
      db: postgres(immich, "tensorchord/pgvecto-rs:pg14-v0.2.0"),
      cache: redis
    }
  }),
  template({
    name: "photoprism",
    title: "PhotoPrism",
    description: "A photo library with search.",
    category: media,
    port: 2342,
    memory: 3072,
    services: {
      photoprism: {
        image: "photoprism/photoprism:240915",
        environment: {
          PHOTOPRISM_SITE_URL: `\${${urlOf("photoprism")}}/`,
          PHOTOPRISM_ADMIN_USER: "admin",
          PHOTOPRISM_ADMIN_PASSWORD: "$SERVICE_PASSWORD_ADMIN",
          PHOTOPRISM_DATABASE_DRIVER: "mysql",
          PHOTOPRISM_DATABASE_SERVER: "db:3306",
          PHOTOPRISM_DATABASE_NAME: photoprism.name,
          PHOTOPRISM_DATABASE_USER: photoprism.user,
          PHOTOPRISM_DATABASE_PASSWORD: photoprism.password,
          PHOTOPRISM_DISABLE_TLS: "true"
        },
        volumes: ["originals:/photoprism/originals", "storage:/photoprism/storage"],
        health: ["CMD", "photoprism", "status"],
        startsIn: 120,
        needs: ["db"]
      },
      db: mariadb(photoprism)
    }
  }),
  template({
    name: "jellyfin",
    title: "Jellyfin",
    description: "Films, series and music.",
    category: media,
    port: 8096,
    memory: 1024,
    services: {
      jellyfin: {
        image: "jellyfin/jellyfin:10.10.3",
        environment: { JELLYFIN_PublishedServerUrl: `\${${urlOf("jellyfin")}}` },
        volumes: ["config:/config", "cache:/cache", "media:/media"],
        health: curl("http://127.0.0.1:8096/health"),
        startsIn: 60
      }
    }
  }),
  template({
    name: "navidrome",
    title: "Navidrome",
    description: "Music for browsers and the clients of Subsonic.",
    category: media,
    port: 4533,
    memory: 128,
    services: {
      navidrome: {
        image: "deluan/navidrome:0.54.3",
        volumes: ["data:/data", "music:/music"],
        health: wget("http://127.0.0.1:4533/ping")
      }
    }
  }),
  template({
    name: "audiobookshelf",
    title: "Audiobookshelf",
    description: "Audiobooks and podcasts.",
    category: media,
    port: 80,
    memory: 256,
    services: {
      audiobookshelf: {
        image: "ghcr.io/advplyr/audiobookshelf:2.17.5",
        volumes: ["config:/config", "metadata:/metadata", "audiobooks:/audiobooks", "podcasts:/podcasts"],
        health: wget("http://127.0.0.1/healthcheck")
      }
    }
  }),
  template({
    name: "odoo",
    title: "Odoo",
    description: "Enterprise resource planning: sales, accounts, stock. Its first page creates the database.",
    category: business,
    port: 8069,
    memory: 2048,
    services: {
      odoo: {
        image: "odoo:17.0",
        environment: { HOST: odoo.host, USER: odoo.user, PASSWORD: odoo.password },
        volumes: ["data:/var/lib/odoo", "addons:/mnt/extra-addons"],
        health: python("http://127.0.0.1:8069/web/health"),
        startsIn: 120,
        needs: ["db"]
      },
      db: postgres(odoo, "postgres:15.10-alpine")
    }
  }),
  template({
    name: "dolibarr",
    title: "Dolibarr",
    description: "Enterprise resource planning and customer relations for small companies.",
    category: business,
    port: 80,
    memory: 512,
    services: {
      dolibarr: {
        image: "dolibarr/dolibarr:20.0.2",
        environment: {
          DOLI_URL_ROOT: `\${${urlOf("dolibarr")}}`,
          DOLI_DB_TYPE: "mysqli",
          DOLI_DB_HOST: dolibarr.host,
          DOLI_DB_NAME: dolibarr.name,
          DOLI_DB_USER: dolibarr.user,
          DOLI_DB_PASSWORD: dolibarr.password,
          DOLI_ADMIN_LOGIN: "admin",
          DOLI_ADMIN_PASSWORD: "$SERVICE_PASSWORD_ADMIN"
        },
        volumes: ["documents:/var/www/documents", "custom:/var/www/html/custom"],
        health: php(80),
        startsIn: 120,
        needs: ["db"]
      },
      db: mariadb(dolibarr)
    }
  }),
  template({
    name: "shlink",
    title: "Shlink",
    description: "Short links with statistics.",
    category: business,
    port: 8080,
    memory: 256,
    asks: { DEFAULT_DOMAIN: "The host name of the short links, without scheme." },
    services: {
      shlink: {
        image: "shlinkio/shlink:4.3.1",
        environment: {
          DEFAULT_DOMAIN: requiredVariable("DEFAULT_DOMAIN"),
          IS_HTTPS_ENABLED: "true",
          INITIAL_API_KEY: "$SERVICE_PASSWORD_API"
        },
        volumes: ["data:/etc/shlink/data"],
        health: php(8080),
        startsIn: 60
      }
    }
  }),
  template({
    name: "freshrss",
    title: "FreshRSS",
    description: "A reader of feeds.",
    category: reading,
    port: 80,
    memory: 128,
    services: {
      freshrss: {
        image: "freshrss/freshrss:1.25.0",
        environment: { CRON_MIN: "3,33" },
        volumes: ["data:/var/www/FreshRSS/data", "extensions:/var/www/FreshRSS/extensions"],
        health: php(80)
      }
    }
  }),
  template({
    name: "miniflux",
    title: "Miniflux",
    description: "A minimal reader of feeds.",
    category: reading,
    port: 8080,
    memory: 256,
    services: {
      miniflux: {
        image: "miniflux/miniflux:2.2.4",
        environment: {
          DATABASE_URL: `postgres://${miniflux.user}:${miniflux.password}@db:5432/${miniflux.name}?sslmode=disable`,
          RUN_MIGRATIONS: "1",
          CREATE_ADMIN: "1",
          ADMIN_USERNAME: "admin",
          ADMIN_PASSWORD: "$SERVICE_PASSWORD_ADMIN",
          BASE_URL: `\${${urlOf("miniflux")}}`
        },
        health: ["CMD", "/usr/bin/miniflux", "-healthcheck", "auto"],
        needs: ["db"]
      },
      db: postgres(miniflux)
    }
  }),
  template({
    name: "linkding",
    title: "linkding",
    description: "Bookmarks with tags.",
    category: reading,
    port: 9090,
    memory: 128,
    services: {
      linkding: {
        image: "sissbruecker/linkding:1.36.0",
        environment: { LD_SUPERUSER_NAME: "admin", LD_SUPERUSER_PASSWORD: "$SERVICE_PASSWORD_ADMIN" },
        volumes: ["data:/etc/linkding/data"],
        health: python("http://127.0.0.1:9090/health")
      }
    }
  })
]
