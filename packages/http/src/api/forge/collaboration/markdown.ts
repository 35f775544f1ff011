import { Schema } from "effect"
import { all, endpoints, raw } from "../base/endpoints.ts"
import { optionalNullable, text } from "../base/schemas.ts"

const said = {
  Text: Schema.String,
  Mode: optionalNullable(text(32)),
  Context: optionalNullable(text(1_024)),
  Wiki: optionalNullable(Schema.Boolean)
}

/** The request body that renders a Markdown text. */
export const MarkdownOption = Schema.Struct(said).annotate({ identifier: "MarkdownOption" })

/** The request body that renders a text; in the mode `file`, the file name determines the markup language. */
export const MarkupOption = Schema.Struct({ ...said, FilePath: optionalNullable(text(1_024)) }).annotate({
  identifier: "MarkupOption"
})

/** The request body with texts in which references, such as `#1`, are resolved. */
export const ReferencesOption = Schema.Struct({
  texts: Schema.Array(Schema.String).check(Schema.isMaxLength(200))
}).annotate({ identifier: "ReferencesOption" })

/** A reference in a text, such as `#1` or `@ann`, with the URL of its target. */
export const ReferenceLink = Schema.Struct({
  key: Schema.String.annotate({ description: "The reference in lower case, such as `#1`, `acme/site#1` or `@ann`." }),
  url: Schema.String
}).annotate({ identifier: "ReferenceLink" })

const contentType = "text/html"
// A text of the maximum size, with the overhead of JSON.
const largest = 1_048_576

/** The endpoints that render Markdown. */
export const markdownEndpoints = endpoints("markdown", "Markdown as sanitized HTML.", {
  "markup.render": raw({ body: MarkupOption, contentType, largest }),
  "markdown.render": raw({ body: MarkdownOption, contentType, largest }),
  "markdown.render-raw": raw({ contentType, streams: true }),
  "repository.markup.render": raw({ body: MarkupOption, contentType, largest }),
  "repository.markdown.render": raw({ body: MarkdownOption, contentType, largest }),
  "repository.markdown.render-raw": raw({ contentType, streams: true }),
  "repository.markdown.references": all(ReferenceLink, { body: ReferencesOption, largest })
})
