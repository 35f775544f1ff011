import { pageAddress, type WikiPage } from "@slipway/domain/forge/code"
import { Markdown } from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { WikiPages } from "@slipway/forge/code"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { colors } from "../../pages/colors.ts"
import { answerTo, type HandlerError } from "../base/errors.ts"
import { answerWithPublicUrl, PublicUrl } from "../base/PublicUrl.ts"
import { authorizeRequest } from "../entry/admission.ts"
import { serve } from "./downloads.ts"
import { linksOf, pathInUrl, restOfPath } from "./repositoryLinks.ts"

/** The routes of wiki pages, and of the images on them. */
export const wikiRoutes = {
  page: "/:username/:reponame/wiki/*",
  raw: "/:username/:reponame/wiki/raw/*"
} as const

/** The number of path segments before the page name: `owner/name/wiki`; file paths have one more (`raw`). */
const pageParts = 3

const style = `${colors}:root{font:1rem/1.5 system-ui,sans-serif}
body{max-width:60rem;margin:2rem auto;padding:0 1.5rem}
aside{border-inline-start:3px solid GrayText;padding-inline-start:1rem}
footer{border-block-start:1px solid GrayText}
img{max-width:100%}`

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** The content security policy of wiki pages, which are written by users: no scripts, forms or frames. */
const policy =
  "default-src 'none'; img-src * data:; media-src *; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-top-navigation-by-user-activation"

const decoder = new TextDecoder()

const written = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.wiki.page.read">,
  page: WikiPage
) {
  const { html } = linksOf(yield* PublicUrl, repository)
  const { render } = yield* Markdown
  const place = { repository: html, tree: undefined, folder: "" }
  const rendered = (bytes: Uint8Array) =>
    bytes.length === 0
      ? Effect.succeed("")
      : render({ text: decoder.decode(bytes), kind: "wiki", place, links: new Map() })
  const [text, sidebar, footer] = [
    yield* rendered(page.bytes),
    yield* rendered(page.sidebar),
    yield* rendered(page.footer)
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(page.title)}</title>
<link rel="canonical" href="${escaped(`${html}/wiki/${pathInUrl(pageAddress(page.title))}`)}">
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(page.title)}</h1>
${text}
</main>
${sidebar === "" ? "" : `<aside>\n${sidebar}\n</aside>\n`}${footer === "" ? "" : `<footer>\n${footer}\n</footer>\n`}</body>
</html>
`
})

type Request = HttpServerRequest.HttpServerRequest

const shown = Effect.fnUntraced(function* (request: Request) {
  const proof = yield* authorizeRequest("repository.wiki.page.read")
  if (HttpServerResponse.isHttpServerResponse(proof)) return proof
  const name = restOfPath(request, pageParts)
  const page = yield* WikiPages.read(proof, name === "" ? "Home" : name)
  return HttpServerResponse.text(yield* written(proof, page), {
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": policy, "referrer-policy": "no-referrer" }
  })
})

const downloaded = Effect.fnUntraced(function* (request: Request) {
  const proof = yield* authorizeRequest("repository.wiki.page.read")
  if (HttpServerResponse.isHttpServerResponse(proof)) return proof
  return yield* serve(request, yield* WikiPages.file(proof, restOfPath(request, pageParts + 1)))
})

const routed = <E extends HandlerError, R>(
  answer: (request: Request) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, answer).pipe(
    Effect.catch((error) => answerTo(error)),
    answerWithPublicUrl
  )

/** Layer with the routes of rendered wiki pages and their files, with the permissions of the API. */
export const wikiPages = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", wikiRoutes.page, routed(shown))
    yield* router.add("GET", wikiRoutes.raw, routed(downloaded))
  })
)
