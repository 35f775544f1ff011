import { largestMarkdown } from "@slipway/domain/forge/collaboration"
import type { LoadedAction } from "@slipway/domain/forge/entry"
import { type MarkupInput, Markups, referenceLinks } from "@slipway/forge/collaboration"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { BodyOf } from "../../../api/forge/base/endpoints.ts"
import { type MarkdownOption, type MarkupOption, markdownEndpoints } from "../../../api/forge/collaboration/markdown.ts"
import { textOf } from "../../wire/bodies.ts"
import { withBody } from "../../wire/readBody.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { renameFields } from "../base/show.ts"
import { type HandlerInput, handle, recheckAuthorization } from "../entry/handle.ts"

const names = { Text: "text", Mode: "mode", Context: "context", Wiki: "wiki", FilePath: "filePath" } as const

type MarkdownBody = BodyOf<typeof MarkdownOption> | BodyOf<typeof MarkupOption>

const inputOf = (body: MarkdownBody): MarkupInput => renameFields(body, names)

const page = <E, R>(render: (origin: string) => Effect.Effect<string, E, R>) =>
  Effect.gen(function* () {
    const { rootUrl } = yield* PublicUrl
    return HttpServerResponse.text(yield* render(rootUrl), { contentType: "text/html; charset=utf-8" })
  })

/** Reads a plain text request body. */
const rawInput = <A extends LoadedAction>(asked: HandlerInput<A, unknown, unknown>) =>
  withBody(asked.request, largestMarkdown, (bytes) =>
    Effect.map(Effect.andThen(recheckAuthorization(asked), textOf(bytes)), (text): MarkupInput => ({ text }))
  )

/** The handlers that render Markdown. */
export const layerMarkdown = handle(markdownEndpoints, {
  "markup.render": ({ body, proof }) =>
    page((origin) => Markups.render(proof, origin, inputOf(body), referenceLinks(proof.resource.actor, origin))),
  "markdown.render": ({ body, proof }) =>
    page((origin) => Markups.render(proof, origin, inputOf(body), referenceLinks(proof.resource.actor, origin))),
  "markdown.render-raw": (asked) =>
    Effect.flatMap(rawInput(asked), (input) =>
      page((origin) => Markups.render(asked.proof, origin, input, referenceLinks(asked.proof.resource.actor, origin)))
    ),
  "repository.markup.render": ({ body, proof }) =>
    page((origin) =>
      Markups.renderInRepository(proof, origin, inputOf(body), referenceLinks(proof.resource.actor, origin))
    ),
  "repository.markdown.render": ({ body, proof }) =>
    page((origin) =>
      Markups.renderInRepository(proof, origin, inputOf(body), referenceLinks(proof.resource.actor, origin))
    ),
  "repository.markdown.render-raw": (asked) =>
    Effect.flatMap(rawInput(asked), (input) =>
      page((origin) =>
        Markups.renderInRepository(asked.proof, origin, input, referenceLinks(asked.proof.resource.actor, origin))
      )
    ),
  "repository.markdown.references": Effect.fnUntraced(function* ({ body, proof }) {
    const { rootUrl } = yield* PublicUrl
    const links = yield* Markups.references(proof, body.texts, referenceLinks(proof.resource.actor, rootUrl))
    return [...links].map(([key, url]) => ({ key, url }))
  })
})
