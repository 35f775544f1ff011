import { type CompletionItem, CompletionItemKind } from "vscode-languageserver"

/** A word that can stand at a position. */
export interface Choice {
  readonly label: string
  readonly kind: CompletionItemKind
  readonly detail?: string | undefined
  /** Its description in Markdown. */
  readonly text?: string
  /** Data of the item for a later request. */
  readonly data?: string
}

/** Makes the choice of a keyword. */
export const keyword = (label: string, detail?: string): Choice => ({ label, detail, kind: CompletionItemKind.Keyword })

/** Makes the choice of the name of a resource. */
export const resource = (label: string, detail?: string): Choice => ({
  label,
  detail,
  kind: CompletionItemKind.Reference
})

/** Makes the choices of keywords. */
export const keywords = (words: Iterable<string>): ReadonlyArray<Choice> => [...words].map((word) => keyword(word))

/** Returns choices as completions that replace some columns of a line. */
export const itemsOf = (
  choices: ReadonlyArray<Choice>,
  line: number,
  start: number,
  end: number
): Array<CompletionItem> => {
  const range = { start: { line, character: start }, end: { line, character: end } }
  return choices.map(({ data, detail, kind, label, text: value }) => ({
    label,
    kind,
    ...(data === undefined ? {} : { data }),
    ...(detail === undefined ? {} : { detail }),
    ...(value === undefined ? {} : { documentation: { kind: "markdown", value } }),
    textEdit: { range, newText: label }
  }))
}
