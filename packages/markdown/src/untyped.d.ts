declare module "markdown-it-emoji" {
  import type { MarkdownIt } from "markdown-it"
  export const full: (md: MarkdownIt) => void
}

declare module "markdown-it-footnote" {
  import type { MarkdownIt } from "markdown-it"

  const footnotes: (md: MarkdownIt) => void
  export default footnotes
}
