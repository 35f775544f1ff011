import { Context, type Effect, Schema } from "effect"

/** The maximum size of a rendered text, in bytes. */
export const largestMarkdown = 524_288

/**
 * The kind of a Markdown text.
 *
 * A `comment` keeps its line breaks; a `file` and a `wiki` page have anchors at their headings; `markdown` is a
 * standalone text without references.
 */
export const markdownKinds = ["comment", "file", "markdown", "wiki"] as const
export type MarkdownKind = (typeof markdownKinds)[number]

/** The place of a text in a repository, from which its relative links are resolved. */
export interface MarkdownPlace {
  /** The URL of the repository's page, without a trailing slash. */
  readonly repository: string
  /**
   * The git tree that file links refer to, such as `branch/main`. If undefined, relative links refer to pages of the
   * repository.
   */
  readonly tree: string | undefined
  /** The folder that contains the text within the tree, such as `docs/guide`; empty for the root folder. */
  readonly folder: string
}

/** A Markdown text to render, with its kind, its place and the targets of its references. */
export interface MarkdownSource {
  readonly text: string
  readonly kind: MarkdownKind
  readonly place: MarkdownPlace | undefined
  /**
   * The link targets by `referenceKey`, only those that the reader may follow. A reference without an entry stays plain
   * text.
   */
  readonly links: ReadonlyMap<string, string>
  /**
   * Set to `linked` to replace embedded images by links. Loading an image tells its host when, and from which address,
   * the reader viewed the text.
   */
  readonly pictures?: "linked"
}

/** Reports that a Markdown text cannot be rendered, for example because it is too large, with the reason. */
export class MarkdownRefused extends Schema.TaggedError<MarkdownRefused>()("MarkdownRefused", {
  problem: Schema.String
}) {}

/**
 * Renders GitHub-flavoured Markdown to HTML that is safe for all readers and pages.
 *
 * Must:
 * - render GitHub's tables, task lists, footnotes, alerts, strikethrough, autolinks and code
 * - render emoji by name, and leave mathematics unchanged
 * - remove everything that runs, loads or posts anything, or changes the style or ids of the page
 * - resolve relative links and images from the folder of the text, only within its repository
 * - link images instead of embedding them on request
 * - link only the given references, and only outside of code
 * - break lines in comments, and give headings of files unique anchors
 * - reject a text that is too large
 * - abort a rendering that exceeds its time or size limit, and continue with the next text
 */
export class Markdown extends Context.Service<
  Markdown,
  { readonly render: (source: MarkdownSource) => Effect.Effect<string, MarkdownRefused> }
>()("@slipway/domain/forge/Markdown") {}
