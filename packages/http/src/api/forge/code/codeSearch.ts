import { Schema } from "effect"
import { endpoints, list } from "../base/endpoints.ts"
import { text } from "../base/schemas.ts"

const CodeSearchRepository = Schema.Struct({
  id: Schema.Int,
  owner: Schema.String,
  name: Schema.String,
  full_name: Schema.String,
  html_url: Schema.String,
  default_branch: Schema.String
}).annotate({ identifier: "CodeSearchRepository" })

const CodeSearchLine = Schema.Struct({
  number: Schema.Int.annotate({ description: "The number of the line, counted from 1." }),
  text: Schema.String.annotate({ description: "The text of the line; of a line above 300 characters, a part." }),
  match: Schema.Boolean.annotate({ description: "Whether the line matches; otherwise it is context." })
}).annotate({ identifier: "CodeSearchLine" })

/** A file that a code search found, with some of its matching lines. */
export const CodeSearchResult = Schema.Struct({
  repository: CodeSearchRepository,
  path: Schema.String,
  sha: Schema.String.annotate({ description: "The id of the blob." }),
  size: Schema.Int,
  language: Schema.String.annotate({ description: "The programming language; empty if it is unknown." }),
  html_url: Schema.String,
  match_count: Schema.Int.annotate({ description: "The number of matching lines of the file." }),
  lines: Schema.Array(CodeSearchLine).annotate({
    description:
      "Up to 5 matching lines, with at least one of each term, and one line of context before and after each."
  }),
  incomplete: Schema.Boolean.annotate({
    description: "Whether the repository has more files than code search indexes."
  })
}).annotate({ identifier: "CodeSearchResult" })

const query = {
  q: Schema.optionalKey(
    text(255).annotate({
      description:
        'Words that a file contains, each by its beginning and in any case, and exact texts in double quotes, such as `user "find(x)"`. Required.'
    })
  ),
  language: Schema.optionalKey(text(100).annotate({ description: "A programming language, such as `TypeScript`." })),
  path: Schema.optionalKey(text(255).annotate({ description: "A text that the path of a file contains." }))
}

/** The endpoints of code search. */
export const codeSearchEndpoints = endpoints("code-search", "Search in the code of default branches.", {
  "code.search": list(CodeSearchResult, { query }),
  "repository.code.search": list(CodeSearchResult, { query })
})
