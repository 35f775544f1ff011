import { joinPaths, type Site } from "./source.ts"

/** The folder of a build context with the files that the platform adds. */
export const addedFolder = ".slipway-added"

const html = "/usr/share/nginx/html"

const serverOf = ({ isSinglePage, port }: Site): string => `server {
  listen ${port};
  listen [::]:${port};
  server_tokens off;
  absolute_redirect off;
  gzip on;
  gzip_types text/css text/javascript application/javascript application/json image/svg+xml;
  root ${html};
  index index.html index.htm;
  location / {
    try_files $uri ${isSinglePage ? "$uri/index.html /index.html" : "$uri.html $uri/ =404"};
  }
  error_page 404 /404.html;
  location = /404.html {
    internal;
  }
}
`

/** Returns the files to add to a folder, so that its image serves the folder; the Dockerfile is first. */
export const siteOfFiles = (site: Site): Readonly<Record<string, string>> => ({
  [`${addedFolder}/Dockerfile`]: `FROM ${site.image}
COPY ${addedFolder}/server.conf /etc/nginx/conf.d/default.conf
COPY . ${html}/
RUN rm -rf ${html}/${addedFolder} ${html}/.dockerignore
EXPOSE ${site.port}
`,
  [`${addedFolder}/server.conf`]: serverOf(site),
  // Otherwise the repository's own ignore file would apply, and could exclude the added files.
  ".dockerignore": ".git\n"
})

/** Quotes a path for the JSON form of COPY, in which `$` would otherwise expand variables. */
const quoted = (path: string): string => JSON.stringify(path).replaceAll("$", "\\\\$")

/** Returns the build files of an image that serves a folder of another image. */
export const siteOfImage = (
  site: Site & { readonly publish: string },
  built: string,
  workdir: string
): Readonly<Record<string, string>> => ({
  Dockerfile: `FROM ${built} AS built
FROM ${site.image}
COPY server.conf /etc/nginx/conf.d/default.conf
COPY --from=built [${quoted(`/${joinPaths(workdir, site.publish)}/`)}, "${html}/"]
EXPOSE ${site.port}
`,
  "server.conf": serverOf(site)
})

/**
 * The maximum number of declared build arguments that are used: more than an application has variables (invariant I25).
 */
const mostArguments = 5_000

/**
 * Returns the names of the build arguments that a Dockerfile declares.
 *
 * @example
 * declaredArguments("FROM a\nARG ONE TWO=2\nRUN b") // => ["ONE", "TWO"]
 */
export const declaredArguments = (dockerfile: string): ReadonlyArray<string> => {
  const names = new Set<string>()
  let count = 0
  for (const [, declared = ""] of dockerfile.matchAll(/^[ \t]*ARG[ \t]+(.+)$/gim)) {
    for (const each of declared.trim().split(/[ \t]+/, mostArguments)) {
      const [name = ""] = each.split("=", 1)
      if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) names.add(name)
      if (++count >= mostArguments) return [...names]
    }
  }
  return [...names]
}
