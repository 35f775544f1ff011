import { joinPaths, type Site } from "./source.ts"

/** The name of the folder that the platform adds to a build context for its own files. */
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

/** Returns the files to add to a folder, so that the image built from it is a web server for the folder. */
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

/** Quotes a path for the JSON form of the Dockerfile command COPY; escapes `$`, which would expand variables. */
const quoted = (path: string): string => JSON.stringify(path).replaceAll("$", "\\\\$")

/** Returns the build files of an image that serves a folder of another, already built image by HTTP. */
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
 * The maximum number of build arguments that are read from a Dockerfile; an application has fewer variables
 * (invariant I25: all input has a limit).
 */
const mostArguments = 5_000

/**
 * Returns the names of the build arguments that a Dockerfile declares with ARG.
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
