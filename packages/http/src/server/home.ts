import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { colors } from "./pages/colors.ts"
import { descriptionPath, referencePath } from "./reference/paths.ts"
import { StoreCheck } from "./storeCheck.ts"

const homePath = "/"
const iconPath = "/favicon.ico"

/** The paths of a service's home page and of its icon (favicon). */
export const homePaths = [homePath, iconPath] as const

/** The texts of a service's home page. */
export interface HomeOptions {
  readonly title: string
  /** The description of the service, in one sentence. */
  readonly what: string
  /** Whether the page links to the API reference. */
  readonly reference?: boolean
  /** Links to pages of this service. */
  readonly links?: ReadonlyArray<{ readonly path: string; readonly name: string; readonly what: string }>
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#2a6fb8" d="M1 4h3l9 7h2v2H1z"/></svg>`

const style = `${colors}:root{font:1.1rem/1.5 system-ui,sans-serif}
body{max-width:36rem;margin:12vh auto;padding:0 1.5rem}
h1{font-size:1.8rem;margin:0 0 .5rem}
ul{padding:0;list-style:none}
li{margin:.4rem 0}
.well::before{content:"● ";color:var(--ok)}
.unwell::before{content:"● ";color:var(--bad)}`

// The page contains only fixed text, so nothing needs to be escaped.
const pageOf = ({ links = [], reference = true, title, what }: HomeOptions, well: boolean): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${what}</p>
<p class="${well ? "well" : "unwell"}" role="status">${well ? "It is healthy." : "It is running, but cannot reach its database at the moment."}</p>
<ul>
${links.map(({ name, path, what: about }) => `<li><a href="${path}">${name}</a>, ${about}</li>\n`).join("")}${reference ? `<li><a href="${referencePath}">Reference</a>, a page to try requests on</li>\n` : ""}<li><a href="${descriptionPath}">Description</a> of the API, as OpenAPI</li>
<li><a href="/readyz">Readiness</a>, for programs that watch it</li>
</ul>
</main>
</body>
</html>
`

/** Layer with the home page `GET /` (description, health and links of a service) and the icon. */
export const homeRoutes = (options: HomeOptions) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const { isReady } = yield* StoreCheck
      yield* router.add(
        "GET",
        iconPath,
        Effect.succeed(
          HttpServerResponse.text(icon, {
            contentType: "image/svg+xml",
            headers: { "cache-control": "public, max-age=86400" }
          })
        )
      )
      const pages = new Map([true, false].map((well) => [well, pageOf(options, well)]))
      yield* router.add(
        "GET",
        homePath,
        Effect.map(Effect.all([isReady, HttpServerRequest.HttpServerRequest]), ([well, { url }]) => {
          // The router reads the target `*`, which isn't a path, as `/`.
          if (!url.startsWith("/")) return HttpServerResponse.empty({ status: 404 })
          return HttpServerResponse.text(pages.get(well) ?? "", {
            status: well ? 200 : 503,
            contentType: "text/html; charset=utf-8",
            headers: {
              "content-security-policy":
                "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'none'"
            }
          })
        })
      )
    })
  )
