import {
  Markdown,
  type MarkdownKind,
  type MarkdownPlace,
  MarkdownRefused,
  type Reference,
  referenceKey,
  referencesIn
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"

/** A request to render a text; all fields but the text are optional. */
export interface MarkupInput {
  readonly text: string
  /**
   * How to render the text, such as `comment` or `file`; `gfm` is an old name of `comment`. If omitted, the text is a
   * standalone document.
   */
  readonly mode?: string | undefined
  /**
   * The URL path from which relative links are resolved: `/owner/repository`, or
   * `/owner/repository/src/branch/main/folder`.
   */
  readonly context?: string | undefined
  /** Whether the text is a wiki page; deprecated, replaced by the mode `wiki`. */
  readonly wiki?: boolean | undefined
  /** The file name, which determines the markup language; only used in the mode `file`. */
  readonly filePath?: string | undefined
}

/** Returns the link targets of the references in a text by `referenceKey`; only targets that the caller may read. */
export type Resolve<E = never, R = never> = (
  references: ReadonlyArray<Reference>,
  repository: string | undefined
) => Effect.Effect<ReadonlyMap<string, string>, E, R>

type SiteProof = Proof<"markup.render" | "markdown.render" | "markdown.render-raw">
type RepositoryProof = Proof<
  "repository.markup.render" | "repository.markdown.render" | "repository.markdown.render-raw"
>

const modes: Readonly<Record<string, MarkdownKind>> = {
  "": "markdown",
  comment: "comment",
  file: "file",
  gfm: "comment",
  markdown: "markdown",
  wiki: "wiki"
}

/** The maximum number of references in the texts of one response that are resolved. */
const mostReferences = 500

const written = /\.(?:md|markdown|mdown|mkdn?|livemd)$/i
const part = /^[^/?#\\\p{Cc}\s]{1,255}$/u

/**
 * Parses the URL path of a repository or of a folder in it, from which links in a text are resolved; undefined if the
 * path is invalid.
 *
 * @example
 * placeOf("https://a.example", "/acme/site") // => { repository: "https://a.example/acme/site", tree: undefined, folder: "" }
 * placeOf("", "/acme/site/src/branch/main/docs") // => { repository: "/acme/site", tree: "branch/main", folder: "docs" }
 */
export const placeOf = (origin: string, context: string): MarkdownPlace | undefined => {
  const path = origin !== "" && context.startsWith(`${origin}/`) ? context.slice(origin.length) : context
  const parts = path.replace(/^\/|\/$/g, "").split("/")
  const [owner = "", repository = "", source, kind = "", tree = "", ...folder] = parts
  if (!parts.every((each) => part.test(each) && each !== "." && each !== "..") || repository === "") return undefined
  const place = { repository: `${origin}/${owner}/${repository}`, tree: undefined, folder: "" }
  if (source === undefined) return place
  if (source !== "src" || !["branch", "commit", "tag"].includes(kind) || tree === "") return undefined
  return { ...place, tree: `${kind}/${tree}`, folder: folder.join("/") }
}

const refuse = (problem: string) => new MarkdownRefused({ problem })

const kindOf = Effect.fnUntraced(function* ({ filePath, mode = "", wiki }: MarkupInput) {
  const kind = wiki === true ? "wiki" : Object.hasOwn(modes, mode) ? modes[mode] : undefined
  if (kind === undefined) return yield* refuse("Mode must be comment, file, gfm, markdown or wiki")
  // A file in another markup language is rejected, even if it resembles Markdown.
  if (kind === "file" && filePath !== undefined && filePath !== "" && !written.test(filePath)) {
    return yield* refuse("FilePath must be the name of a Markdown file")
  }
  return kind
})

const renderAt = <E, R>(
  input: MarkupInput,
  place: MarkdownPlace | undefined,
  repository: string | undefined,
  resolve: Resolve<E, R>
) =>
  Effect.gen(function* () {
    const kind = yield* kindOf(input)
    // A standalone document has no references, and a text without references needs no look-up.
    const references = kind === "markdown" ? [] : referencesIn(input.text)
    const links = references.length === 0 ? new Map<string, string>() : yield* resolve(references, repository)
    return yield* (yield* Markdown).render({ text: input.text, kind, place, links })
  })

/** Renders a text to HTML for the caller. `origin` is the beginning of the site's URLs. */
export const render = Effect.fnUntraced(function* <E, R>(
  _: SiteProof,
  origin: string,
  input: MarkupInput,
  resolve: Resolve<E, R>
) {
  const { context = "" } = input
  const place = context === "" ? undefined : placeOf(origin, context)
  return yield* renderAt(input, place, place?.repository.slice(origin.length + 1), resolve)
})

/**
 * Renders a text to HTML as part of a repository. Only the git tree and the folder are taken from the given `context`.
 */
export const renderInRepository = Effect.fnUntraced(function* <E, R>(
  { resource: { repository } }: RepositoryProof,
  origin: string,
  input: MarkupInput,
  resolve: Resolve<E, R>
) {
  const name = `${repository.owner.name}/${repository.name}`
  const said = placeOf(origin, input.context ?? "")
  const place = { repository: `${origin}/${name}`, tree: said?.tree, folder: said?.folder ?? "" }
  return yield* renderAt(input, place, name, resolve)
})

/**
 * Returns the link targets of the references in several texts of a repository, by `referenceKey`; only targets that the
 * caller may read.
 */
export const references = Effect.fnUntraced(function* <E, R>(
  { resource: { repository } }: Proof<"repository.markdown.references">,
  texts: ReadonlyArray<string>,
  resolve: Resolve<E, R>
) {
  const found = new Map(texts.flatMap(referencesIn).map((each) => [referenceKey(each), each]))
  if (found.size === 0) return new Map<string, string>()
  return yield* resolve([...found.values()].slice(0, mostReferences), `${repository.owner.name}/${repository.name}`)
})
