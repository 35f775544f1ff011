import { node, php, wget } from "./checks.ts"
import { databaseOf, mariadb, mysql, postgres } from "./parts.ts"
import { requiredVariable, template, urlOf } from "./ServiceTemplate.ts"

const sites = "websites"
const notes = "wikis and notes"
const wordpress = databaseOf("wordpress")
const drupal = databaseOf("drupal")
const ghost = databaseOf("ghost")
const directus = databaseOf("directus")
const wiki = databaseOf("wiki")
const hedgedoc = databaseOf("hedgedoc")
const joomla = databaseOf("joomla")

/** Templates of blogs, wikis and other publishing tools. */
export const publishing = [
  template({
    name: "wordpress",
    title: "WordPress",
    description: "A website or blog, with MariaDB.",
    category: sites,
    port: 80,
    memory: 512,
    services: {
      wordpress: {
        image: "wordpress:6.7.1-apache",
        environment: {
          WORDPRESS_DB_HOST: wordpress.host,
          WORDPRESS_DB_NAME: wordpress.name,
          WORDPRESS_DB_USER: wordpress.user,
          WORDPRESS_DB_PASSWORD: wordpress.password
        },
        volumes: ["site:/var/www/html"],
        health: php(80),
        needs: ["db"]
      },
      db: mariadb(wordpress)
    }
  }),
  template({
    name: "joomla",
    title: "Joomla",
    description: "A content management system, with MySQL.",
    category: sites,
    port: 80,
    memory: 768,
    services: {
      joomla: {
        image: "joomla:5.2.2-php8.2-apache",
        environment: {
          JOOMLA_DB_HOST: joomla.host,
          JOOMLA_DB_NAME: joomla.name,
          JOOMLA_DB_USER: joomla.user,
          JOOMLA_DB_PASSWORD: joomla.password
        },
        volumes: ["site:/var/www/html"],
        health: php(80),
        startsIn: 60,
        needs: ["db"]
      },
      db: mysql(joomla)
    }
  }),
  template({
    name: "drupal",
    title: "Drupal",
    description: "A content management system, with PostgreSQL. Its installer asks for the database: host `db`.",
    category: sites,
    port: 80,
    memory: 512,
    services: {
      drupal: {
        image: "drupal:11.1.0-apache",
        volumes: [
          "modules:/var/www/html/modules",
          "profiles:/var/www/html/profiles",
          "themes:/var/www/html/themes",
          "sites:/var/www/html/sites"
        ],
        health: php(80),
        needs: ["db"]
      },
      db: postgres(drupal)
    }
  }),
  template({
    name: "ghost",
    title: "Ghost",
    description: "A blog with newsletters, with MySQL.",
    category: sites,
    port: 2368,
    memory: 1024,
    services: {
      ghost: {
        image: "ghost:5.105.0-alpine",
        environment: {
          url: `\${${urlOf("ghost")}}`,
          database__client: "mysql",
          database__connection__host: ghost.host,
          database__connection__user: ghost.user,
          database__connection__password: ghost.password,
          database__connection__database: ghost.name
        },
        volumes: ["content:/var/lib/ghost/content"],
        health: node("http://127.0.0.1:2368/"),
        startsIn: 90,
        needs: ["db"]
      },
      db: mysql(ghost)
    }
  }),
  template({
    name: "directus",
    title: "Directus",
    description: "An API and an editor for the contents of a PostgreSQL database.",
    category: sites,
    port: 8055,
    memory: 768,
    asks: { ADMIN_EMAIL: "The email address of the first account." },
    services: {
      directus: {
        image: "directus/directus:11.3.5",
        environment: {
          SECRET: "$SERVICE_PASSWORD_64_DIRECTUS",
          PUBLIC_URL: `\${${urlOf("directus")}}`,
          ADMIN_EMAIL: requiredVariable("ADMIN_EMAIL"),
          ADMIN_PASSWORD: "$SERVICE_PASSWORD_ADMIN",
          DB_CLIENT: "pg",
          DB_HOST: directus.host,
          DB_PORT: "5432",
          DB_DATABASE: directus.name,
          DB_USER: directus.user,
          DB_PASSWORD: directus.password
        },
        volumes: ["uploads:/directus/uploads", "extensions:/directus/extensions"],
        health: node("http://127.0.0.1:8055/server/ping"),
        startsIn: 90,
        needs: ["db"]
      },
      db: postgres(directus)
    }
  }),
  template({
    name: "wikijs",
    title: "Wiki.js",
    description: "A wiki with Markdown and visual editors.",
    category: notes,
    port: 3000,
    memory: 512,
    services: {
      wiki: {
        image: "ghcr.io/requarks/wiki:2.5.306",
        environment: {
          DB_TYPE: "postgres",
          DB_HOST: wiki.host,
          DB_PORT: "5432",
          DB_NAME: wiki.name,
          DB_USER: wiki.user,
          DB_PASS: wiki.password
        },
        health: node("http://127.0.0.1:3000/healthz"),
        startsIn: 60,
        needs: ["db"]
      },
      db: postgres(wiki)
    }
  }),
  template({
    name: "hedgedoc",
    title: "HedgeDoc",
    description: "Markdown documents that several people edit together.",
    category: notes,
    port: 3000,
    memory: 512,
    services: {
      hedgedoc: {
        image: "quay.io/hedgedoc/hedgedoc:1.10.0",
        environment: {
          CMD_DB_URL: `postgres://${hedgedoc.user}:${hedgedoc.password}@db:5432/${hedgedoc.name}`,
          CMD_SESSION_SECRET: "$SERVICE_PASSWORD_64_SESSION",
          CMD_ALLOW_ANONYMOUS: "false"
        },
        volumes: ["uploads:/hedgedoc/public/uploads"],
        health: node("http://127.0.0.1:3000/_health"),
        startsIn: 60,
        needs: ["db"]
      },
      db: postgres(hedgedoc)
    }
  }),
  template({
    name: "trilium",
    title: "Trilium Notes",
    description: "A personal knowledge base in a tree of notes.",
    category: notes,
    port: 8080,
    memory: 256,
    services: {
      trilium: {
        image: "zadam/trilium:0.63.7",
        volumes: ["data:/home/node/trilium-data"],
        health: node("http://127.0.0.1:8080/")
      }
    }
  }),
  template({
    name: "memos",
    title: "Memos",
    description: "Short notes.",
    category: notes,
    port: 5230,
    memory: 128,
    services: {
      memos: {
        image: "neosmemo/memos:0.23.0",
        volumes: ["data:/var/opt/memos"],
        health: wget("http://127.0.0.1:5230/healthz")
      }
    }
  }),
  template({
    name: "kanboard",
    title: "Kanboard",
    description: "Kanban boards for projects.",
    category: notes,
    port: 80,
    memory: 128,
    services: {
      kanboard: {
        image: "kanboard/kanboard:v1.2.42",
        volumes: ["data:/var/www/app/data", "plugins:/var/www/app/plugins"],
        health: php(80)
      }
    }
  })
]
