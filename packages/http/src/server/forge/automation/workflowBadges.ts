import { WorkflowBadges } from "@slipway/forge/automation"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { escapeHtml } from "../../wire/escapeHtml.ts"
import { digestOf, names, tagOf } from "../../wire/tags.ts"
import { answerTo } from "../base/errors.ts"
import { answerWithPublicUrl } from "../base/PublicUrl.ts"
import { nonEmpty } from "../base/queries.ts"
import { authorizeRequest } from "../entry/admission.ts"
import { queryIn } from "../entry/guard.ts"

/** The route of a workflow's status badge, an SVG image. */
export const badgeRoute = "/:username/:reponame/actions/workflows/:workflow_id/badge.svg"

/** The maximum length of a name on a badge, in characters. */
const longest = 60
/** The approximate width of a character (`wide`) and the padding at each side of a text, in pixels. */
const [wide, padding] = [7, 6]

const shown = {
  success: ["passing", "#3c8a3c"],
  failure: ["failing", "#c0392b"],
  cancelled: ["cancelled", "#767676"],
  skipped: ["skipped", "#767676"],
  none: ["no status", "#767676"]
} as const

/** Escapes a text for XML, and replaces characters that XML doesn't allow. */
const inXml = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML knows none of them
  escapeHtml(text.replaceAll(/[\u0000-\u001f\u007f\ufffe\uffff]/g, " "))

const cut = (name: string): string => {
  const characters = [...name.toWellFormed()]
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : name.toWellFormed()
}

/** Returns the SVG of a badge: the workflow's name, and its result on a colored background. */
export const badgeSvg = ({ conclusion, name }: WorkflowBadges.Badge): string => {
  const [word, colour] = shown[conclusion ?? "none"]
  const title = cut(name)
  const [left, right] = [title, word].map((text) => wide * [...text].length + 2 * padding) as [number, number]
  const text = (x: number, said: string) => `<text x="${x}" y="14">${inXml(said)}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${inXml(`${title}: ${word}`)}">`,
    `<title>${inXml(`${title}: ${word}`)}</title>`,
    `<rect width="${left}" height="20" fill="#444"/>`,
    `<rect x="${left}" width="${right}" height="20" fill="${colour}"/>`,
    `<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">`,
    text(left / 2, title),
    text(left + right / 2, word),
    "</g></svg>"
  ].join("")
}

const headers = {
  "cache-control": "private, no-cache",
  "content-security-policy": "default-src 'none'; sandbox"
} as const

const badge = Effect.gen(function* () {
  const proof = yield* authorizeRequest("repository.actions.workflow.badge")
  if (HttpServerResponse.isHttpServerResponse(proof)) return proof
  const request = yield* HttpServerRequest.HttpServerRequest
  const { params } = yield* HttpRouter.RouteContext
  const query = queryIn(request.url)
  const asked = { branch: nonEmpty(query.get("branch") ?? undefined), event: nonEmpty(query.get("event") ?? undefined) }
  const svg = badgeSvg(yield* WorkflowBadges.read(proof, params.workflow_id ?? "", asked))
  const etag = tagOf(digestOf(svg))
  if (names(request.headers["if-none-match"], etag)) {
    return HttpServerResponse.empty({ status: 304, headers: { ...headers, etag } })
  }
  return HttpServerResponse.text(svg, { contentType: "image/svg+xml; charset=utf-8", headers: { ...headers, etag } })
}).pipe(Effect.catch(answerTo), answerWithPublicUrl)

/** Layer with the route of workflow status badges. */
export const badgeRoutes = HttpRouter.use((router) => router.add("GET", badgeRoute, badge))
